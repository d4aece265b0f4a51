import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { Catalog } from "./catalog";
import { readFacts, writeFacts } from "./facts-file";

function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-facts-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A library whose facts are kept, and what a start shows of it with the file as it is by then. */
async function keepLibrary() {
  const path = makeTree({
    [`projects/-a/${uuid(1)}.jsonl`]: [
      prompt("first"),
      answer("one"),
      { type: "summary", summary: "About it" },
    ],
    [`projects/-a/${uuid(2)}.jsonl`]: [prompt("second"), answer("two")],
    [`projects/-b/${uuid(3)}.jsonl`]: [prompt("third"), answer("three"), "{broken"],
  });
  const dataDir = scratch();
  const start = async () => {
    const { facts, warning } = await readFacts(dataDir);
    const catalog = new Catalog([{ path, kind: "config" }]);
    catalog.facts.takeOver(facts);
    await catalog.list();
    return { titles: titlesOf(catalog), warning, read: catalog.facts.revision, catalog };
  };
  const { catalog, titles } = await start();
  await writeFacts(dataDir, catalog.facts.entries());
  return { dataDir, file: join(dataDir, "facts.json"), start, titles, entries: catalog.facts.entries() };
}

const titlesOf = (catalog: Catalog) =>
  catalog
    .summaries()
    .map(({ id, title, lastActiveAtMs }) => `${id} ${title} ${lastActiveAtMs}`)
    .sort();

/** The file that a start would write for these facts, right but for what is in them. */
function withSum(version: unknown, facts: unknown): string {
  const body = JSON.stringify(facts);
  return `${JSON.stringify({ version, sum: crc32(body) })}\n${body}\n`;
}

describe("what is kept of logs' ends", () => {
  it("spares the next start reading them", async () => {
    const { start, titles } = await keepLibrary();
    expect(await start()).toMatchObject({ titles, warning: null, read: 0 });
  });

  it.each([
    ["null", "null"],
    ["a number", "7"],
    ["an object for the list", JSON.stringify({ version: 3, facts: {} })],
    ["nothing for the list", JSON.stringify({ version: 3, facts: null })],
    ["an empty file", ""],
    ["half a file", '{"version":3,"sum":12}\n[["/a",'],
    ["lists within", withSum(3, [["/a", []]])],
    ["nulls within", withSum(3, [null])],
    [
      "facts of another shape",
      withSum(3, [["/a", { dev: 1, ino: 1, bytes: 1, mtimeMs: 1, read: { facts: {} } }]]),
    ],
    ["another type", withSum(3, { "/a": 1 })],
  ])("never empties the library: %s", async (_name, text) => {
    const { dataDir, file, start, titles } = await keepLibrary();
    writeFileSync(file, text);
    const { titles: shown, warning, catalog } = await start();
    expect(shown).toEqual(titles);
    expect(warning?.code).toBe("facts-damaged");
    expect(readFileSync(`${file}.damaged`, "utf8")).toBe(text);
    expect(existsSync(file)).toBe(false);
    await writeFacts(dataDir, catalog.facts.entries());
    expect(await start()).toMatchObject({ titles, warning: null, read: 0 });
  });

  it.each([
    ["as it was", JSON.stringify({ version: 2, facts: [] })],
    ["of another shape", JSON.stringify({ version: 2, facts: {} })],
  ])("is passed over where an older version wrote it: %s", async (_name, text) => {
    const { file, start, titles } = await keepLibrary();
    writeFileSync(file, text);
    expect(await start()).toMatchObject({ titles, warning: null });
  });

  it("sets aside a folder of its name", async () => {
    const { file, start, titles } = await keepLibrary();
    rmSync(file);
    mkdirSync(join(file, "inside"), { recursive: true });
    expect((await start()).titles).toEqual(titles);
    expect(existsSync(`${file}.damaged`)).toBe(true);
  });

  it("is either what was written or nothing, whatever bytes have flipped", async () => {
    const { dataDir, file, titles, start, entries } = await keepLibrary();
    const whole = readFileSync(file);
    const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(flips, async (made) => {
        const damaged = Buffer.from(whole);
        for (const [at, mask] of made) damaged[at] = (damaged[at] as number) ^ mask;
        writeFileSync(file, damaged);
        const { facts } = await readFacts(dataDir);
        expect(facts).toEqual(facts.length > 0 ? entries : []);
        writeFileSync(file, damaged);
        expect((await start()).titles).toEqual(titles);
      }),
      { numRuns: 150 },
    );
  });

  it("never stops a listing, whatever has come in place of a part of it", async () => {
    const { file, titles, start, entries } = await keepLibrary();
    const part = fc.oneof(
      fc.constant(null),
      fc.nat(),
      fc.boolean(),
      fc.constant([]),
      fc.constant({}),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), part, async (which, depth, value) => {
        const facts = structuredClone(entries) as unknown;
        const { holder, key, old } = placeIn(facts, which, depth);
        fc.pre(kindOf(old) !== kindOf(value) && !(old === null || value === null));
        holder[key] = value;
        writeFileSync(file, withSum(3, facts));
        const shown = await start();
        expect(shown.titles).toEqual(titles);
        expect(shown.warning?.code).toBe("facts-damaged");
      }),
      { numRuns: 150 },
    );
  });
});

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
}

/** Some place inside a value, `depth` steps down. */
function placeIn(value: unknown, which: number, depth: number) {
  let holder = value as Record<string, unknown>;
  let key = "0";
  for (let step = 0; step <= depth % 6; step++) {
    const keys = Object.keys(holder);
    key = keys[(which + step) % keys.length] ?? "0";
    const inner = holder[key];
    if (step === depth % 6 || typeof inner !== "object" || inner === null || Object.keys(inner).length === 0)
      break;
    holder = inner as Record<string, unknown>;
  }
  return { holder, key, old: holder[key] };
}
