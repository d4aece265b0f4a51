import { format } from "node:util";
import { onTestFinished } from "vitest";

/**
 * From here on the running test fails with whatever is written as an error on the console: a page writes none, so it is
 * a warning of React's (an update outside of `act`, a list without keys), or a request that the test answers with nothing.
 */
export function failOnConsoleErrors(): void {
  const { error } = console;
  const written: string[] = [];
  console.error = (...parts: unknown[]) => {
    written.push(format(...parts));
  };
  onTestFinished(() => {
    console.error = error;
    if (written.length > 0) throw new Error(`On the console:\n${[...new Set(written)].join("\n")}`);
  });
}
