import { appendFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Doctor } from "@/lib/server/doctor/doctor";
import { examine } from "@/lib/server/doctor/examine";
import { concludeSession, type KnownSession, readNewLines } from "@/lib/server/index/read-session";
import { Catalog } from "@/lib/server/library/catalog";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { scan } from "@/lib/server/scan/scanned-session";
import { scanCandidates } from "@/lib/server/search/candidate-lines";
import { rowsOf } from "@/lib/server/session/answers/session-rows";
import { SessionCache } from "@/lib/server/session/session-cache";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import type { RowsResponse } from "@/lib/wire/rows";

const PLACE = `projects/-home-dev-shop/${uuid(1)}.jsonl`;
const ALL = { branch: null, agent: null, fold: [], runs: null, from: 0, count: 1_000, around: null } as const;

const line = (record: object) => JSON.stringify(record);
const FIRST = line(prompt("begin"));
const SECOND = line(answer("one", { parentUuid: "u-begin" }));
const THIRD = line(answer("two", { parentUuid: "a-one" }));

async function open(bytes: string) {
  const root = makeTree({});
  const log = join(root, PLACE);
  mkdirSync(join(log, ".."), { recursive: true });
  writeFileSync(log, bytes);
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const [id] = catalog.summaries().map((one) => one.id);
  if (!id) throw new Error("The log is not listed");
  const read = async (cache: SessionCache) =>
    rowsOf(await cache.latest(id), { ...ALL, fold: [], detail: "everything" });
  const live = new SessionCache(catalog, { scan });
  let known: KnownSession | null = null;
  return {
    root,
    log,
    catalog,
    append: (more: string) => appendFileSync(log, more),
    live: () => read(live),
    cold: () => read(new SessionCache(catalog, { scan })),
    /** The records that an index holds that goes on from where it ended the last time. */
    async indexed(): Promise<number> {
      await catalog.refresh(id);
      const request = await scanRequest(catalog.sessionFiles(id));
      const lines = readNewLines(request, known, true);
      const { known: graph, entry } = concludeSession(lines, request.logs, known);
      known = { entry, table: lines.scan.table, files: lines.scan.files, graph };
      return lines.scan.table.records.size;
    },
  };
}

const told = ({ rows }: RowsResponse) =>
  rows.map((row) => (row.kind === "text" ? row.text.text : row.kind === "turn" ? row.prompt.text : row.kind));
const facts = ({ rows, total }: RowsResponse) => JSON.stringify({ rows, total });

describe("a last record without a newline", () => {
  it("is in the session, in what is searched and in what the doctor counts", async () => {
    const folder = await open(`${FIRST}\n${SECOND}\n${THIRD}`);
    expect(told(await folder.cold())).toEqual(["begin", "one", "two"]);
    expect(await folder.indexed()).toBe(3);
    const found = [...scanCandidates(folder.root, folder.log, /two/g)].flatMap(({ lines }) => lines);
    expect(found.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([THIRD]);
    expect((await new Doctor(folder.catalog, examine).whole(null)).records).toBe(3);
  });

  it("is one where it is the only one", async () => {
    const folder = await open(FIRST);
    expect(told(await folder.cold())).toEqual(["begin"]);
    expect([...scanCandidates(folder.root, folder.log, null)].flatMap(({ lines }) => lines)).toHaveLength(1);
  });

  it("is not one while it is being written", async () => {
    const folder = await open(`${FIRST}\n${SECOND.slice(0, -1)}`);
    expect(told(await folder.cold())).toEqual(["begin"]);
    expect([...scanCandidates(folder.root, folder.log, /one/g)].flatMap(({ lines }) => lines)).toEqual([]);
  });

  it.each([
    ["its newline, and more", `\n${THIRD}\n`],
    ["its newline alone", "\n"],
    ["newlines", `\n\n\n${THIRD}`],
    ["a carriage return first", `\r\n${THIRD}\n`],
    ["blanks", "   "],
    ["another record on its line", THIRD],
    ["garbage", ' and more"}\n'],
    ["nothing", ""],
  ])("is replaced by what it grows to: %s", async (_, more) => {
    const folder = await open(`${FIRST}\n${SECOND}`);
    expect(told(await folder.live())).toEqual(["begin", "one"]);
    await folder.indexed();
    folder.append(more);
    const [live, cold] = [await folder.live(), await folder.cold()];
    expect(told(live)).toEqual(told(cold));
    expect(facts(live)).toBe(facts(cold));
    const whole = await open(`${FIRST}\n${SECOND}${more}`);
    expect(await folder.indexed()).toBe(await whole.indexed());
  });

  it("reads the same live and cold wherever a write is cut", async () => {
    const text = toText([
      FIRST,
      SECOND,
      THIRD,
      "",
      "no record",
      line(answer("three", { parentUuid: "a-two" })),
    ]);
    let seed = 7;
    const random = (most: number) => {
      seed = (seed * 48271) % 2147483647;
      return 1 + (seed % most);
    };
    for (let round = 0; round < 12; round++) {
      const folder = await open(FIRST);
      // Every other write ends where a record does, ahead of its newline.
      for (let at = FIRST.length, turn = 0; at < text.length; turn++) {
        const end = turn % 2 === 0 ? text.indexOf("\n", at + 1) : at + random(200);
        const to = end === -1 ? text.length : Math.min(end, text.length);
        folder.append(text.slice(at, to));
        at = to;
        const [live, cold] = [await folder.live(), await folder.cold()];
        expect(facts(live), `${round}: ${statSync(folder.log).size} bytes`).toBe(facts(cold));
      }
    }
  });
});

describe("a log without newlines", () => {
  it.each([
    ["records side by side", [FIRST, SECOND, THIRD].join("")],
    ["CR for the ends of lines", [FIRST, SECOND, THIRD, ""].join("\r")],
  ])("is listed and read: %s", async (_, bytes) => {
    const folder = await open(bytes);
    expect(folder.catalog.summaries().map(({ title }) => title)).toEqual(["begin"]);
    expect(told(await folder.cold())).toEqual(["begin", "one", "two"]);
    expect(await folder.indexed()).toBe(3);
  });
});
