import fc from "fast-check";
import { expect, test } from "vitest";
import { sharedRecording } from "@/lib/testing/recorded";
import { openFolder, rowsOf } from "@/lib/testing/transcript";
import { shortJson } from "./row-context";

test("a row begins with its kind, not with the fields that all rows have: a spread in front makes it slow", async () => {
  using recording = sharedRecording("2.1.330");
  const folder = await openFolder(recording.claudeDir);
  const kinds = new Set<string>();
  for (const { id } of folder.catalog.summaries())
    for (const row of (await rowsOf(folder, id, "everything")).rows) {
      expect([row.kind, Object.keys(row)[0]]).toEqual([row.kind, "kind"]);
      kinds.add(row.kind);
    }
  expect(kinds.size).toBeGreaterThan(8);
});

test("what fits is JSON as it always is", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const json = JSON.stringify(value);
      // Numbers like -0 are written by `String`; everything else is the same text.
      expect(JSON.parse(shortJson(value, json.length + 1000))).toEqual(JSON.parse(json));
    }),
    { numRuns: 500, seed: 12 },
  );
});

test("depth and length end in dots", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = { deep };
  expect(shortJson(deep, 10_000)).toContain("…");
  const long = shortJson(
    Array.from({ length: 100_000 }, (_, n) => n),
    100,
  );
  expect(long.length).toBeLessThan(120);
  expect(long.endsWith("…]")).toBe(true);
});
