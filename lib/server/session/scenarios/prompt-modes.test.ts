import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { idOf, openFolder, rowsOf } from "@/lib/testing/transcript";

test("a prompt says its mode where that is another one than the prompt before had", async () => {
  const modes = ["bypassPermissions", "bypassPermissions", "default", "default", "plan"];
  const lines = modes.flatMap((permissionMode, n) => [
    prompt(`prompt ${n + 1}`, { permissionMode }),
    answer(`answer ${n + 1}`),
  ]);
  const chained = lines.map((line, n) => ({
    ...line,
    uuid: `line-${n}`,
    parentUuid: n === 0 ? null : `line-${n - 1}`,
  }));
  const folder = await openFolder(makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: chained }));
  const { rows } = await rowsOf(folder, idOf(folder, uuid(1)), "prompts");
  const told = rows.map((row) =>
    row.kind === "turn"
      ? `${row.settings.permissions ?? "-"} ${row.settingsChanged ? "changed" : "same"}`
      : row.kind,
  );
  expect(told).toEqual([
    "bypassPermissions changed",
    "bypassPermissions same",
    // Named here, where it ends the other one.
    "default changed",
    "- same",
    "plan changed",
  ]);
});
