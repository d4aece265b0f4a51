// @vitest-environment page
import { appendFileSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseLine } from "@/lib/log/records/parse-record";
import { parseQuery } from "@/lib/query/parse-query";
import { joinRanges, wantedWords } from "@/lib/query/text-marks";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { recordTexts } from "@/lib/server/index/record-texts";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { checkRegex, createTextFinder } from "@/lib/server/search/find-in-text";
import { RegexWatch, SEARCH_LIMITS } from "@/lib/server/search/regex-watch";
import { openSearch, type Search } from "@/lib/server/search/search";
import { generateTree } from "@/lib/testing/generate/generate-tree";
import { runs, seededRandom } from "@/lib/testing/runs";
import { formatRecordId, formatRowKey, type SessionId } from "@/lib/wire/ids";
import type { QueryProblem, SearchHit } from "@/lib/wire/search";
import { rangesInRows, searchMarks } from "./row-marks";

/** Rows and queries have no others: lines of no text are in no row. */
const SHOWN = ["prompt", "text", "thinking", "input", "output", "returned", "attachment"];

/** Texts of one field of a block, each with the element that shows it. */
type Place = { key: string; texts: { text: string; element: Element }[] };

let search: Search;
let session: SessionId;
let places: Place[];
const ends: (() => void)[] = [];

beforeAll(async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-marks-")));
  generateTree({ seed: 11, bytes: 60_000, dir: folder, sessions: 1, versions: ["2.1.330"] });
  const catalog = new Catalog([{ path: folder, kind: "config" }]);
  await catalog.list();
  session = catalog.summaries()[0]?.id as SessionId;
  const { main } = catalog.sessionFiles(session);
  appendFileSync(main.path, `${strangeLines().join("\n")}\n`);
  await catalog.list();
  const index = openLibraryIndex(join(folder, "data"));
  const scanner = new Scanner(catalog, index, new RequestActivity());
  await scanner.run();
  search = openSearch({ catalog, scanner, index });
  ends.push(
    () => search.stop(),
    () => index.stop(),
    () => rmSync(folder, { recursive: true, force: true }),
  );
  const { agents } = catalog.sessionFiles(session);
  const created = vi.spyOn(document, "createRange").mockImplementation(plainRange);
  ends.push(() => created.mockRestore());
  places = [main, ...agents].flatMap(({ path, key }) => drawRows(readFileSync(path), key));
});
afterAll(() => {
  for (const end of ends) end();
});

/**
 * Ranges that only know their ends, as a `StaticRange` does: with each that is set, those of happy-dom go through the
 * whole page to see which end comes first, which took three quarters of the time of these tests.
 */
function plainRange(): Range {
  const ends = {
    startContainer: document as Node,
    startOffset: 0,
    endContainer: document as Node,
    endOffset: 0,
  };
  const range: Pick<Range, keyof typeof ends | "setStart" | "setEnd"> = {
    ...ends,
    setStart(startContainer, startOffset) {
      Object.assign(this, { startContainer, startOffset });
    },
    setEnd(endContainer, endOffset) {
      Object.assign(this, { endContainer, endOffset });
    },
  };
  return range as Range;
}

/** What prose of a generator lacks: letters that have no case or several, emoji, one word inside another. */
const STRANGE = [
  "Größe",
  "GRÖSSE",
  "straße",
  "İstanbul",
  "ﬁle",
  "ſtart",
  "\u212aelvin",
  "naïve",
  "é",
  "e\u0301",
  "😀",
  "👩‍👩‍👧",
  "🏳️‍🌈",
  "👍🏽",
  "重试",
  "ретрай",
  "cat",
  "concatenate",
  "scat",
  "a.b(c)[d]",
  "C:\\tmp",
  "$1",
  "--force",
];

function strangeLines(): string[] {
  const random = seededRandom(3);
  const words = () =>
    Array.from({ length: 1 + random(12) }, () => STRANGE[random(STRANGE.length)]).join(
      [" ", "  ", "\n", ""][random(4)],
    );
  const lines = Array.from({ length: 40 }, (_, n) => {
    const content =
      n % 4 === 0
        ? [
            {
              type: "tool_use",
              id: `toolu_x${n}`,
              name: "Bash",
              input: { command: words(), description: words() },
            },
          ]
        : n % 4 === 1
          ? [{ type: "tool_result", tool_use_id: `toolu_x${n - 1}`, content: words() }]
          : [{ type: "text", text: words() }];
    const role = n % 4 === 0 || n % 4 === 3 ? "assistant" : "user";
    return JSON.stringify({
      type: role,
      uuid: `x-${n}`,
      timestamp: new Date(1_780_000_000_000 + n).toISOString(),
      message: { role, content, ...(role === "assistant" ? { id: `msg-x${n}` } : {}) },
      ...(n % 4 === 1 ? { toolUseResult: { stdout: words(), patch: [words(), words()] } } : {}),
    });
  });
  const many = Array.from({ length: 400 }, (_, n) => `${STRANGE[n % STRANGE.length]}${n}`).join(" ");
  const content = [{ type: "text", text: many }];
  const message = { role: "assistant", content, id: "msg-many" };
  lines.push(JSON.stringify({ type: "assistant", uuid: "x-many", message }));
  return [...lines, ...Array.from({ length: 9 }, (_, n) => report(n, words())).flat()];
}

/** A notification as its queue has it and as it is delivered; of every third the queue's line is all there is. */
function report(n: number, answer: string): string[] {
  const text = `<task-notification>
<task-id>id-${n}</task-id>
<status>completed</status>
<summary>Agent "Größe" finished</summary>
<result>${answer}</result>
</task-notification>`;
  const queued = { type: "queue-operation", operation: "enqueue", content: text };
  const at = { uuid: `n-${n}`, timestamp: new Date(1_780_000_100_000 + n).toISOString() };
  const delivered = { ...at, type: "user", message: { role: "user", content: text } };
  const attached = { ...at, type: "attachment", attachment: { type: "queued_command", prompt: text } };
  return [queued, ...[[], [delivered], [attached]][n % 3]!].map((line) => JSON.stringify(line));
}

/** Draws a log as rows do: each text in an element, cut as colours cut it, between words that the page itself says. */
function drawRows(bytes: Buffer, key: string): Place[] {
  const drawn: Place[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(10, from);
    for (const record of parseLine({
      bytes: bytes.subarray(from, to),
      offset: from,
      length: to - from,
      line: 0,
    })) {
      if (record.kind === "unreadable") continue;
      const texts = recordTexts(record).filter(({ field }) => SHOWN.includes(field));
      for (const block of new Set(texts.map((one) => one.block))) {
        const row = document.createElement("article");
        row.dataset.recordId = formatRecordId(key, record.at.offset);
        row.dataset.block = String(block);
        row.dataset.fields = "*";
        for (const field of SHOWN) {
          const own = texts.filter((one) => one.block === block && one.field === field);
          if (own.length === 0) continue;
          const region = document.createElement("div");
          region.dataset.log = field;
          for (const { text } of own) region.append(chrome("p", text), drawText(text));
          row.append(chrome("button", own[0]?.text ?? ""), chrome("span", own[0]?.text ?? ""), region);
          drawn.push({
            key: `${formatRowKey(formatRecordId(key, record.at.offset), block)} ${field}`,
            texts: own.map(({ text }, at) => ({
              text,
              element: region.querySelectorAll("pre")[at] as Element,
            })),
          });
        }
        document.body.append(row);
      }
    }
    from = to + 1;
  }
  return drawn;
}

/** Says what the log says, and is not of it. */
function chrome(tag: string, text: string): Element {
  const element = document.createElement(tag);
  element.textContent = text;
  if (tag === "p") element.setAttribute("data-log", "none");
  return element;
}

function drawText(text: string): Element {
  const element = document.createElement("pre");
  const cut = text.length >> 1;
  for (const part of [text.slice(0, cut), text.slice(cut)]) {
    const span = document.createElement("span");
    span.textContent = part;
    element.append(span);
  }
  return element;
}

/** The marks of each text's element, as places in the text. */
function marksOf(hits: readonly SearchHit[], query: string, problems: readonly QueryProblem[]) {
  const marks = searchMarks(wantedWords(query, problems), hits);
  const of = new Map<Element, [number, number][]>();
  for (const range of marks ? rangesInRows(document, marks) : []) {
    const element = range.startContainer.parentElement?.closest("pre");
    const at = (node: Node, offset: number) => {
      const before = node.parentElement?.previousElementSibling?.textContent?.length ?? 0;
      return before + offset;
    };
    if (!element || !element.contains(range.endContainer))
      throw new Error(`a mark outside of a text: ${range.startContainer.textContent}`);
    const known = of.get(element) ?? [];
    known.push([at(range.startContainer, range.startOffset), at(range.endContainer, range.endOffset)]);
    of.set(element, known);
  }
  return of;
}

async function find(q: string) {
  const hits: SearchHit[] = [];
  let problems: QueryProblem[] = [];
  for (let cursor: string | null = null; ; ) {
    for await (const event of search.events(
      { q, project: null, session, cursor },
      new AbortController().signal,
    )) {
      if (event.kind === "start") problems = event.problems;
      if (event.kind === "hits") hits.push(...event.hits);
      if (event.kind === "end") cursor = event.nextCursor;
    }
    if (cursor === null) return { hits, problems };
  }
}

/** A query made from what the session says: words, parts of words, phrases, expressions, filters, and choices of them. */
function makeQuery(random: (below: number) => number): string {
  const one = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  const piece = () => {
    const { text } = one(one(places).texts);
    const characters = Array.from(text);
    const from = random(Math.max(1, characters.length - 3));
    return (
      characters
        .slice(from, from + 1 + random(9))
        .join("")
        .trim() || "retry"
    );
  };
  const word = () => piece().split(/\s/)[0] || "e";
  const quoted = () => `"${piece().replaceAll(/["\\]/g, "")}x`.slice(0, -1).concat('"');
  const escaped = () => word().replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const expression = () =>
    one([
      () => `/\\b${escaped()}\\b/`,
      () => `/${escaped()}\\w*/`,
      () => `/(${escaped()}|${escaped()})+/`,
      () => `/[${one(["a-f", "äöü", "0-9", "^\\s"])}]{${1 + random(3)}}${escaped()}/`,
      () => `/^${escaped()}/`,
      () => `/${escaped()}$/`,
      () => `/.${escaped()}./`,
      () => `/${word()}[/`,
    ])();
  const term = () => one([word, word, quoted, expression, expression])();
  return one([
    term,
    term,
    () => `${term()} ${term()}`,
    () => `${term()} OR ${term()}`,
    () => `${term()} -${word()}`,
    () => `${term()} in:${one(["prompt", "text", "thinking", "input", "output", "returned"])}`,
    () => `(${term()} OR ${term()}) ${term()}`,
  ])();
}

/** Ends what hangs: a soak asks many times as much. */
const HANGING_MS = runs(300_000, 3_600_000);

test("what is marked is what is found: all of it, and nothing else", { timeout: HANGING_MS }, async () => {
  const random = seededRandom(17);
  let checked = 0;
  for (let n = 0; n < runs(60, 520); n++) {
    // A block with some hundred different finds first.
    const q = n === 0 ? "/\\b\\S+[0-9]+/" : makeQuery(random);
    const { hits, problems } = await find(q);
    const finder = createTextFinder(parseQuery(q, { checkRegex }).query, new RegexWatch(SEARCH_LIMITS));
    const found = new Set(hits.map((hit) => `${formatRowKey(hit.recordId, hit.block)} ${hit.field}`));
    const marks = marksOf(hits, q, problems);
    const wrong: unknown[] = [];
    let marked = 0;
    for (const { key, texts } of places) {
      for (const { text, element } of texts) {
        const has = JSON.stringify(marks.get(element) ?? []);
        const wanted = found.has(key)
          ? joinRanges(
              finder.ranges(text, 100_000).filter(([from, to]) => text.slice(from, to).trim() !== ""),
            )
          : [];
        marked += wanted.length;
        if (has !== JSON.stringify(wanted)) wrong.push({ q, key, text, has, wanted: JSON.stringify(wanted) });
      }
    }
    expect(wrong.slice(0, 2)).toEqual([]);
    checked += marked;
  }
  expect(checked).toBeGreaterThan(100);
});
