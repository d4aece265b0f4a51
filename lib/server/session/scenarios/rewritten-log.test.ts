import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { SessionFeed } from "@/lib/server/live/session-feed";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions, type SessionQueries } from "@/lib/server/session/sessions";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { rowsOf, settled } from "@/lib/testing/transcript";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { RowsResponse } from "@/lib/wire/rows";

const ID = uuid(3) as SessionId;

/** A log of turns that all have the same length, whatever word they repeat. */
const turns = (word: string, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const parentUuid = n === 0 ? null : `a-${word}${1_000 + n - 1}`;
    const text = `${word}${1_000 + n}`;
    return [prompt(text, { parentUuid }), answer(text, { parentUuid: `u-${text}` })];
  }).flat();

let log: string;
let folder: { catalog: Catalog; sessions: SessionQueries };
/** The session's last record, as a page knows it that has just shown it. */
let last: RecordId;

beforeEach(async () => {
  const root = makeTree({ [`projects/-home-dev-shop/${ID}.jsonl`]: turns("old", 40) });
  log = join(root, "projects/-home-dev-shop", `${ID}.jsonl`);
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  folder = { catalog, sessions: createSessions(catalog, { scan }) };
  const { rows } = await rowsOf(folder, ID, "everything");
  last = rows.at(-1)?.recordId as RecordId;
});

const words = ({ rows }: RowsResponse) =>
  rows.map((row) => (row.kind === "text" ? row.text.text : row.kind === "turn" ? row.prompt.text : row.kind));
const shown = async () => words(await rowsOf(folder, ID, "everything"));
const texts = (word: string, count: number) =>
  Array.from({ length: count }, (_, n) => [`${word}${1_000 + n}`, `${word}${1_000 + n}`]).flat();

// The cache looks at most twice a second whether a log has changed: what is asked here comes in between.
test("a log that is cut while its page is open shows what is left of it, and no line that it does not have", async () => {
  truncateSync(log, toText(turns("old", 3)).length);
  expect(await shown()).toEqual(texts("old", 3));
});

test("a log that is cut inside a line shows the lines before it", async () => {
  truncateSync(log, toText(turns("old", 3)).length + 40);
  expect(await shown()).toEqual(texts("old", 3));
});

test("a log that is written anew with lines of other lengths shows those", async () => {
  writeFileSync(log, toText(turns("another", 60)));
  expect(await shown()).toEqual(texts("another", 60));
});

test("a log that is written anew with lines of the same lengths shows those", async () => {
  writeFileSync(log, toText(turns("new", 40)));
  expect(await shown()).toEqual(texts("new", 40));
});

test("a record that is asked for by its place is not found where the log was cut before it", async () => {
  const { sessions } = folder;
  truncateSync(log, toText(turns("old", 3)).length);
  await expect(settled(() => sessions.record(ID, last))).rejects.toMatchObject({ code: "record-not-found" });
});

test("nor are the bytes that now lie at its place returned for it", async () => {
  writeFileSync(log, toText(turns("another", 60)));
  await expect(folder.sessions.rawRecord(ID, last)).rejects.toMatchObject({ code: "record-not-found" });
});

test("every count and view of it is of what is left", async () => {
  const { sessions } = folder;
  writeFileSync(log, toText(turns("another", 2)));
  const query = { branch: null, detail: "tools", fold: [], from: 0, count: 10 } as const;
  const outline = await settled(() => sessions.outline(ID, { ...query, fold: [] }));
  expect(outline.turns.map(({ prompt: text }) => text)).toEqual(["another1000", "another1001"]);
});

test("who follows it is told that it was replaced, and is sent nothing of what it is no more", async () => {
  const { sessions } = folder;
  let updates = 0;
  // What runs is asked between the moment in which the log's state is read and that in which its rows are.
  const running = () => {
    if (updates++ === 1) truncateSync(log, toText(turns("old", 3)).length);
    return null;
  };
  const sent: string[] = [];
  const decoder = new TextDecoder();
  const stream = { send: (bytes: Uint8Array) => sent.push(decoder.decode(bytes)) };
  const feed = new SessionFeed(ID, sessions.latest, running);
  const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  await feed.join(stream as never, view, { fold: [], runs: null });
  appendFileSync(log, toText([prompt("more", { parentUuid: "a-old1039" })]));
  await feed.update();
  const told = sent.join("");
  expect(told).not.toContain("unreadable");
  expect(told).toContain('"reason":"files-replaced"');
});
