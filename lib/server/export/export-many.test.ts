import { expect, test } from "vitest";
import { namesInZip } from "@/lib/testing/library/exports";
import { openRecording, sessionsOf } from "@/lib/testing/recordings";
import type { ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { SessionId } from "@/lib/wire/ids";
import { exportMany, nameOf, unlike } from "./export-many";
import { ALL_CONTENTS } from "./left-out";

const SETTINGS = { format: "md", ...ALL_CONTENTS, redactionOf: null, commentsOf: null } as const;
const AT = new Date(2026, 2, 4, 5).getTime();

async function recorded() {
  const { folder, scenarios } = await openRecording("2.1.330");
  const ids = ["edit-file", "task-nested", "tui-rewind"].map(
    (name) => sessionsOf(folder, scenarios[name] ?? { must: "" })[0] ?? "",
  );
  return { ...folder, ids };
}

async function bytesOf(pieces: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
}

test("sessions are files of a zip, each once, by their day, title and id", async () => {
  const { catalog, sessions, ids } = await recorded();
  const wanted = [...ids, ids[0]?.slice(0, 18) ?? ""];
  const { name, mediaType, pieces } = exportMany(catalog, sessions, wanted, SETTINGS);
  expect([name, mediaType]).toEqual(["backscroll-3-sessions.zip", "application/zip"]);
  const paths = namesInZip(await bytesOf(pieces));
  const shorts = ids.map((id) => id.slice(0, 8));
  expect(paths.map((path) => path.slice(-11))).toEqual(shorts.map((short) => `${short}.md`));
  for (const path of paths) expect(path).toMatch(/^2026-\d\d-\d\d \S.* [0-9a-f]{8}\.md$/);
});

test("a file of a zip ends as one that is exported alone", async () => {
  const { catalog, sessions, ids } = await recorded();
  const ends = async (format: ExportFormat) => {
    const { pieces } = exportMany(catalog, sessions, ids.slice(0, 2), { ...SETTINGS, format });
    return namesInZip(await bytesOf(pieces)).map((path) => /[0-9a-f]{8}(\..+)$/.exec(path)?.[1]);
  };
  expect(await ends("trace")).toEqual([".trace.json", ".trace.json"]);
  expect(await ends("messages")).toEqual([".messages.json", ".messages.json"]);
  expect(await ends("json")).toEqual([".json", ".json"]);
  expect(await ends("jsonl")).toEqual([".jsonl", ".zip"]);
});

test("each file is made when its turn comes, and none after its reader has left", async () => {
  const { catalog, sessions, ids } = await recorded();
  const asked: string[] = [];
  const watched = { ...sessions, detail: (id: SessionId) => (asked.push(id), sessions.detail(id)) };
  const { pieces } = exportMany(catalog, watched, ids, SETTINGS);
  await pieces.next();
  expect(asked.length).toBeLessThan(ids.length);
  await pieces.return(undefined);
  const before = asked.length;
  await new Promise((done) => setImmediate(done));
  expect(asked).toHaveLength(before);
});

test("a session that no id or several ids begin with is refused before anything is made", async () => {
  const { catalog, sessions } = await recorded();
  for (const id of ["nothing", ""])
    expect(() => exportMany(catalog, sessions, [id], SETTINGS)).toThrow(/begin/);
});

test.each([
  ["Fix the parser", "2026-03-04 Fix the parser 0a1b2c3d"],
  ['a/b\\c:d*e?f"g<h>i|j', "2026-03-04 a b c d e f g h i j 0a1b2c3d"],
  ["../../etc/passwd", "2026-03-04 .. .. etc passwd 0a1b2c3d"],
  ["line\nbreak\u0000\u202e\u2028 and …", "2026-03-04 line break and … 0a1b2c3d"],
  ["", "2026-03-04 0a1b2c3d"],
  ["😀".repeat(99), `2026-03-04 ${"😀".repeat(50)} 0a1b2c3d`],
  ["密".repeat(99), `2026-03-04 ${"密".repeat(60)} 0a1b2c3d`],
])("a file's name is safe on every system: %j", (title, name) => {
  const id = "0a1b2c3d-0000-4000-8000-000000000001" as SessionId;
  expect(nameOf({ id, title, startedAtMs: AT })).toBe(name);
  expect(Buffer.byteLength(`${name} (99).messages.json`)).toBeLessThanOrEqual(255);
});

test("no two files have one name, whatever a system takes for the same", () => {
  const taken = new Set<string>();
  const names = ["Café", "CAFE\u0301", "cafe"].map((name) => unlike(taken, name, ".md"));
  expect(names).toEqual(["Café.md", "CAFE\u0301 (2).md", "cafe.md"]);
});
