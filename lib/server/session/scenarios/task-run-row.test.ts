import { expect, test } from "vitest";
import { openRecording } from "@/lib/testing/recordings";
import { idOf, settled } from "@/lib/testing/transcript";

test("the row of folded TaskUpdate calls names the tasks, each once", async () => {
  const { folder } = await openRecording("2.1.110");
  const id = idOf(folder, "8112adef-c615-4242-9728-69380302eb88");
  const thread = { branch: null, agent: null, detail: "tools" as const, fold: [], runs: [] };
  const { rows } = await settled(() =>
    folder.sessions.rows(id, { ...thread, from: 0, count: 100, around: null }),
  );
  const updates = rows.find((row) => row.kind === "run" && row.name === "TaskUpdate");
  expect(updates).toMatchObject({ subject: "3 times", aside: "#1 Read the code, #2 Fix the greeting" });
});
