import { vi } from "vitest";

/** What was printed to standard output, and beside it. */
export type Printed = { out: string; err: string };

/** Runs a command of the terminal, and returns what it printed, none of which is on the terminal. Throws what it throws. */
export async function printedBy(run: () => Promise<unknown>): Promise<Printed> {
  const printed: Printed = { out: "", err: "" };
  const spies = (["stdout", "stderr"] as const).map((to) =>
    vi.spyOn(process[to], "write").mockImplementation((text) => {
      printed[to === "stdout" ? "out" : "err"] += text;
      return true;
    }),
  );
  try {
    await run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return printed;
}
