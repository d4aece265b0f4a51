import { expect, test } from "vitest";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { detailOf, rowsOf, settled } from "@/lib/testing/transcript";
import { readSpans, totalsOf, waterfallRows } from "./waterfall-model";

/** What is between a turn's last work and the last line that tells of it. */
const MAX_OFF_MS = 500;
/** Here a prompt came while the turn before was at work: in the waterfall its turn begins when that had ended. */
const TYPED_MEANWHILE = ["ecc993c9", "2928c1d8"];

test.each(RECORDED_VERSIONS)(
  "turns take as long as their headers say, and calls are those counted: %s",
  async (version) => {
    const { folder } = await openRecording(version);
    for (const { id } of folder.catalog.summaries()) {
      const { branches, counts } = await detailOf(folder, id);
      if (branches.length !== 1) continue;
      const model = readSpans(
        await settled(() => folder.sessions.spans(id, { branch: null, turn: null, only: null })),
      );
      expect(totalsOf(model, null).calls, id).toBe(counts.toolCalls);
      if (TYPED_MEANWHILE.some((name) => id.startsWith(name))) continue;
      const { rows } = await rowsOf(folder, id, "everything");
      const headers = new Map(
        rows.flatMap((row) => (row.kind === "turn" ? [[row.turn, row.durationMs]] : [])),
      );
      for (const row of waterfallRows(model, { model: true, waiting: true })) {
        if (row.kind !== "turn" || row.turn === 0) continue;
        const off = Math.abs((headers.get(row.turn) ?? 0) - row.workedMs);
        expect(off, `${id}, turn ${row.turn}`).toBeLessThan(MAX_OFF_MS);
      }
    }
  },
);
