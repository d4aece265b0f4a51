import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { sampled } from "@/lib/testing/runs";
import { Catalog } from "./catalog";
import { readFactsFile, readLogFacts, writeFactsFile } from "./facts-cache";

describe("read log facts", () => {
  const KIB = 1024;
  const filler = (bytes: number) => ({ type: "attachment", attachment: { text: "x".repeat(bytes) } });

  function factsOf(lines: Parameters<typeof toText>[0]) {
    return factsIn(makeTree({ "log.jsonl": lines }));
  }

  function factsIn(root: string) {
    const path = join(root, "log.jsonl");
    return readLogFacts(root, path, statSync(path).size);
  }

  describe("readLogFacts", () => {
    it("takes the first prompt and directory from the head, times and titles from the tail", () => {
      const facts = factsOf([
        prompt("first", { timestamp: "2026-01-01T00:00:00Z", gitBranch: "main" }),
        ...Array.from({ length: 40 }, () => filler(10 * KIB)),
        prompt("later", { timestamp: "2026-01-03T00:00:00Z", cwd: "/elsewhere", gitBranch: "HEAD" }),
        answer("last", { timestamp: "2026-01-02T00:00:00Z" }),
        { type: "custom-title", customTitle: "named" },
      ]);
      expect(facts).toMatchObject({
        cwd: "/home/dev/shop",
        firstPrompt: "first",
        customTitle: "named",
        gitBranch: "main",
        startedAtMs: Date.parse("2026-01-01T00:00:00Z"),
        lastActiveAtMs: Date.parse("2026-01-03T00:00:00Z"),
        models: ["claude-x"],
        lines: null,
      });
    });

    it("does not use /clear as the title of the session that it begins", () => {
      const clear = prompt("<command-name>/clear</command-name>\n<command-message>clear</command-message>");
      expect(factsOf([clear]).firstPrompt).toBeNull();
      expect(factsOf([clear, prompt("the next thing")]).firstPrompt).toBe("the next thing");
    });

    it("reads up to 1 MiB for a prompt after bookkeeping (2.1.330)", () => {
      const facts = factsOf([filler(300 * KIB), filler(300 * KIB), prompt("behind"), filler(2000 * KIB)]);
      expect(facts.firstPrompt).toBe("behind");
    });

    it("reads a first prompt with a pasted image to its end", () => {
      const image = { type: "image", source: { type: "base64", data: "A".repeat(3000 * KIB) } };
      const facts = factsOf([
        prompt("", { message: { role: "user", content: [image, { type: "text", text: "what is this" }] } }),
        ...Array.from({ length: 4 }, () => filler(1000 * KIB)),
      ]);
      expect(facts.firstPrompt).toBe("what is this");
    });

    it("does not use a prompt of the tail as the first one", () => {
      const middle = Array.from({ length: 30 }, () => filler(100 * KIB));
      const facts = factsOf([answer("a"), ...middle, prompt("not the first")]);
      expect(facts).toMatchObject({ hasMessages: true, firstPrompt: null });
    });

    it("looks further back for a time where the log ends in one long line", () => {
      const facts = factsOf([
        prompt("p", { timestamp: "2026-01-01T00:00:00Z" }),
        filler(300 * KIB),
        answer("end"),
        filler(200 * KIB),
      ]);
      expect(facts.lastActiveAtMs).toBe(Date.parse("2026-01-02T03:04:06Z"));
    });

    it("reads a log to its end before calling it empty of messages", () => {
      const middle = Array.from({ length: 30 }, () => filler(100 * KIB));
      expect(factsOf([...middle, answer("deep"), ...middle])).toMatchObject({ hasMessages: true });
      expect(factsOf([...middle, ...middle])).toMatchObject({ hasMessages: false, lines: 60 });
    });

    it("lists a log with a single line that is too long to hold as a session", () => {
      expect(factsOf([filler(10 * 1024 * KIB)])).toMatchObject({ hasMessages: true, lines: null });
    });

    it.each([
      ["side by side", ""],
      ["behind CR", "\r"],
    ])("takes prompt and times from the ends of a log whose records stand %s", (_, between) => {
      const root = makeTree({ "log.jsonl": [] });
      const records = [
        prompt("first", { timestamp: "2026-01-01T00:00:00Z" }),
        ...Array.from({ length: 12 }, () => filler(1000 * KIB)),
        answer("end", { timestamp: "2026-01-03T00:00:00Z" }),
      ];
      writeFileSync(join(root, "log.jsonl"), records.map((record) => JSON.stringify(record)).join(between));
      expect(factsIn(root)).toMatchObject({
        firstPrompt: "first",
        cwd: "/home/dev/shop",
        startedAtMs: Date.parse("2026-01-01T00:00:00Z"),
        lastActiveAtMs: Date.parse("2026-01-03T00:00:00Z"),
      });
    });

    it.each([["ahead of"], ["behind"]])(
      "lists a session with a line of many megabytes %s its records",
      (where) => {
        const records = [prompt("p"), ...Array.from({ length: 5 }, (_, n) => answer(String(n)))];
        const long = filler(20 * 1024 * KIB);
        const facts = factsOf(where === "behind" ? [...records, long] : [long, ...records]);
        expect(facts).toMatchObject({ hasMessages: true, cwd: "/home/dev/shop", models: ["claude-x"] });
        expect(facts.lastActiveAtMs).toBe(Date.parse("2026-01-02T03:04:06.000Z"));
      },
    );

    it("skips everything that is no record, half a last line included", () => {
      const facts = factsOf(["", "\0\0\0", "{broken", "[1]", '"text"', prompt("whole")]);
      expect(facts).toMatchObject({ firstPrompt: "whole", lines: 6 });
      const root = makeTree({ "log.jsonl": [] });
      writeFileSync(join(root, "log.jsonl"), `${toText([prompt("done")])}{"type":"assist`);
      expect(factsIn(root)).toMatchObject({
        firstPrompt: "done",
        lines: 2,
      });
    });

    it("prefers a prompt to a built-in command, and a command to nothing", () => {
      const clear = "<command-name>/clear</command-name><command-message>clear</command-message>";
      expect(factsOf([prompt(clear), prompt("then this")]).firstPrompt).toBe("then this");
      expect(factsOf([prompt("<command-name>/cost</command-name>")]).firstPrompt).toBe("/cost");
      expect(
        factsOf([prompt("meta", { isMeta: true }), prompt("sub", { isSidechain: true })]).firstPrompt,
      ).toBeNull();
    });
  });
});

describe("facts file", () => {
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
      const { facts, warning } = await readFactsFile(dataDir);
      const catalog = new Catalog([{ path, kind: "config" }]);
      catalog.facts.takeOver(facts);
      await catalog.list();
      return { titles: titlesOf(catalog), warning, read: catalog.facts.revision, catalog };
    };
    const { catalog, titles } = await start();
    await writeFactsFile(dataDir, catalog.facts.entries());
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
      ["an object for the list", JSON.stringify({ version: 4, facts: {} })],
      ["nothing for the list", JSON.stringify({ version: 4, facts: null })],
      ["an empty file", ""],
      ["half a file", '{"version":4,"sum":12}\n[["/a",'],
      ["lists within", withSum(4, [["/a", []]])],
      ["nulls within", withSum(4, [null])],
      [
        "facts of another shape",
        withSum(4, [["/a", { dev: 1, ino: 1, bytes: 1, mtimeMs: 1, read: { facts: {} } }]]),
      ],
      ["another type", withSum(4, { "/a": 1 })],
    ])("never empties the library: %s", async (_name, text) => {
      const { dataDir, file, start, titles } = await keepLibrary();
      writeFileSync(file, text);
      const { titles: shown, warning, catalog } = await start();
      expect(shown).toEqual(titles);
      expect(warning?.code).toBe("facts-damaged");
      expect(readFileSync(`${file}.damaged`, "utf8")).toBe(text);
      expect(existsSync(file)).toBe(false);
      await writeFactsFile(dataDir, catalog.facts.entries());
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

    it("stays where it is when the system does not read it for now", async () => {
      const { dataDir, file, start, titles } = await keepLibrary();
      rmSync(file);
      symlinkSync(file, file);
      expect(await start()).toMatchObject({ titles, warning: null });
      expect(readdirSync(dataDir)).toEqual(["facts.json"]);
    });

    it("sets aside a folder of its name", async () => {
      const { file, start, titles } = await keepLibrary();
      rmSync(file);
      mkdirSync(join(file, "inside"), { recursive: true });
      expect((await start()).titles).toEqual(titles);
      expect(existsSync(`${file}.damaged`)).toBe(true);
    });

    it("is either intact or ignored, whatever bytes have flipped", async () => {
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
          const { facts } = await readFactsFile(dataDir);
          expect(facts).toEqual(facts.length > 0 ? entries : []);
          writeFileSync(file, damaged);
          expect((await start()).titles).toEqual(titles);
        }),
        sampled(8, 40, 5_000),
      );
    });

    it("is whole when two servers of one data folder keep it at once, and leaves nothing else behind", async () => {
      const { dataDir, entries } = await keepLibrary();
      const [entry] = entries;
      const many = (count: number) => Array.from({ length: count }, () => entry as (typeof entries)[number]);
      for (let turn = 0; turn < 5; turn++) {
        await Promise.all([writeFactsFile(dataDir, many(6_000)), writeFactsFile(dataDir, many(9_000))]);
        const { facts, warning } = await readFactsFile(dataDir);
        expect([warning, [6_000, 9_000].includes(facts.length)]).toEqual([null, true]);
      }
      expect(readdirSync(dataDir)).toEqual(["facts.json"]);
    });

    it("never stops a listing, whatever replaced a part of it", async () => {
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
          writeFileSync(file, withSum(4, facts));
          const shown = await start();
          expect(shown.titles).toEqual(titles);
          expect(shown.warning?.code).toBe("facts-damaged");
        }),
        sampled(9, 40, 5_000),
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
      if (
        step === depth % 6 ||
        typeof inner !== "object" ||
        inner === null ||
        Object.keys(inner).length === 0
      )
        break;
      holder = inner as Record<string, unknown>;
    }
    return { holder, key, old: holder[key] };
  }
});
