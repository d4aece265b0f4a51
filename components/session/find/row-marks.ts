import { addTo } from "@/lib/format/lists";
import { createMarker, type FoundText, type Marker, type TextSpan } from "@/lib/query/text-marks";
import { formatRowKey, type RecordId } from "@/lib/wire/ids";
import type { SearchField, SearchHit } from "@/lib/wire/search";

/** What a search found, as rows are marked with it: the query's words, and the hits by their records. */
export type SearchMarks = {
  words: readonly string[];
  hits: ReadonlyMap<RecordId, readonly SearchHit[]>;
  /** What marks a row's fields, for rows that were marked lately: each frame marks them again. */
  markers: Map<string, Marker | null>;
};

/** The marks of these hits; `null` if there is nothing to mark. */
export function searchMarks(words: readonly string[], hits: readonly SearchHit[]): SearchMarks | null {
  if (hits.length === 0) return null;
  const byRecord = new Map<RecordId, SearchHit[]>();
  for (const hit of hits) {
    addTo(byRecord, hit.recordId, hit);
  }
  return { words, hits: byRecord, markers: new Map() };
}

/** Rows of a thread, in whichever pane or opened call they are. `rowData` writes what is read of them here. */
const ROWS = "[data-record-id]";
/** A row with more than this is marked as far as this, and the row of the hit that the reader has gone to further. */
const MAX_CHARACTERS = 400_000;
const MAX_TARGET_CHARACTERS = 16_000_000;
/** Marks of one row: more than anybody looks at, and what a browser can still draw. */
const MAX_MARKS = 20_000;

/**
 * Where rows are to be marked: in the texts that are hits, and nowhere else. What the page itself says in a row, its
 * chrome, is never marked.
 */
export function rangesInRows(root: ParentNode, marks: SearchMarks, target: HitTarget | null = null): Range[] {
  return [...root.querySelectorAll<HTMLElement>(ROWS)].flatMap((row) => {
    const hits = hitsOfRow(row, marks);
    if (hits.length === 0) return [];
    const isTarget = target !== null && hits.some((hit) => isOf(hit, target));
    return rangesInRow(row, marks, hits, isTarget ? MAX_TARGET_CHARACTERS : MAX_CHARACTERS);
  });
}

/** A hit by its place; without a block, or a field, any there. */
export type HitTarget = { recordId: RecordId; block: number | null; field: SearchField | null };

function isOf(hit: SearchHit, { recordId, block, field }: HitTarget): boolean {
  return (
    hit.recordId === recordId &&
    (block === null || hit.block === block) &&
    (field === null || hit.field === field)
  );
}

/**
 * The row of a hit. `range`: its first mark, in what is open of the row before its one line. `isShort`: that is only
 * the line, which may be cut. `mayHide`: the row has texts of the hit's field, so that it may be in a fold
 * of them.
 */
export type MarkedRow = {
  row: HTMLElement;
  range: Range | null;
  isShort: boolean;
  fields: ReadonlySet<SearchField>;
  mayHide: boolean;
};

/** The row in which a hit is to be shown; `null` while none is drawn. */
export function targetRow(root: ParentNode, marks: SearchMarks, target: HitTarget): MarkedRow | null {
  for (const row of root.querySelectorAll<HTMLElement>(ROWS)) {
    const all = hitsOfRow(row, marks);
    const hits = all.filter((hit) => isOf(hit, target));
    if (hits.length === 0) continue;
    const shown = row.dataset.fields?.split(" ") ?? [];
    const fields = new Set(hits.map(({ field }) => field));
    const mayHide = [...fields].some((field) => shown.includes("*") || shown.includes(field));
    const ranges = rangesInRow(row, marks, hits, MAX_TARGET_CHARACTERS);
    const isInLine = (range: Range) => range.startContainer.parentElement?.closest(".cut-end") !== null;
    const inBlock = ranges.find((range) => !isInLine(range));
    const range = inBlock ?? ranges[0] ?? null;
    return { row, range, isShort: inBlock === undefined, fields, mayHide };
  }
  return null;
}

/** The fields in which each block of a line is a text of its own. In the others a line has one row. */
const OF_BLOCK: ReadonlySet<SearchField> = new Set(["text", "thinking", "input"]);

function hitsOfRow({ dataset }: HTMLElement, { hits }: SearchMarks): readonly SearchHit[] {
  const own = hits.get(dataset.recordId as RecordId) ?? [];
  const found = own.filter(({ field, block }) => !OF_BLOCK.has(field) || block === Number(dataset.block));
  for (const key of dataset.shows?.split(" ") ?? []) {
    const there = hits.get(key.slice(0, key.lastIndexOf(".")) as RecordId) ?? [];
    found.push(...there.filter(({ recordId, block }) => formatRowKey(recordId, block) === key));
  }
  return found;
}

/** Finds words although syntax colours and emphasis cut them into several nodes, but not across blocks. */
function rangesInRow(
  row: HTMLElement,
  marks: SearchMarks,
  hits: readonly SearchHit[],
  characters: number,
): Range[] {
  const ranges: Range[] = [];
  let text = "";
  let nodes: { node: Node; from: number }[] = [];
  let part: { block: Element; fields: string } | null = null;
  const flush = () => {
    const mark = part && markerOf(part.fields, hits, marks);
    if (mark) ranges.push(...rangesIn(mark(text), nodes));
    text = "";
    nodes = [];
  };
  let left = characters;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (
    let node = walker.nextNode();
    node && left > 0 && ranges.length < MAX_MARKS;
    node = walker.nextNode()
  ) {
    const parent = node.parentElement ?? row;
    const fields = fieldsAt(parent, row);
    if (fields === null) continue;
    const block = blockOf(parent, row);
    if (!part || block !== part.block || fields !== part.fields) {
      flush();
      part = { block, fields };
    }
    nodes.push({ node, from: text.length });
    text += node.nodeValue ?? "";
    left -= node.nodeValue?.length ?? 0;
  }
  flush();
  return ranges;
}

/** Markers that are kept: many more than rows are on screen. */
const MAX_MARKERS = 500;

/** What marks these fields of a row with these hits; `null` where nothing is a hit. */
function markerOf(
  fields: string,
  hits: readonly SearchHit[],
  { words, markers }: SearchMarks,
): Marker | null {
  const key = `${fields} ${hits.map(({ recordId, block, field }) => `${recordId}.${block} ${field}`).join()}`;
  const known = markers.get(key);
  if (known !== undefined) return known;
  if (markers.size >= MAX_MARKERS) markers.clear();
  const found = foundIn(fields, hits);
  const marker = found && createMarker({ words, found });
  markers.set(key, marker);
  return marker;
}

/** What expressions found in these fields; `null` where nothing is a hit. */
function foundIn(fields: string, hits: readonly SearchHit[]): FoundText[] | null {
  const names = fields.split(" ");
  const there = hits.filter(({ field }) => fields === "*" || names.includes(field));
  if (there.length === 0) return null;
  const found = new Map<string, FoundText>();
  for (const one of there.flatMap((hit) => hit.found ?? [])) found.set(JSON.stringify(one), one);
  return [...found.values()];
}

/**
 * What decides whose a text is, the nearest above it. `data-log`: a text of the log, of the fields it names, else of
 * those around it; `none` for what the page says. What cannot be selected, or is for screen readers, is no text of
 * the log, nor is a control's label.
 */
const DECIDES =
  "[data-record-id],[data-log],[data-markdown],h2,button,.select-none,.sr-only,.hatch,[aria-hidden=true]";
const LOG = "[data-log],[data-markdown],h2";

/** The fields whose texts stand in an element of a row; `null` for what is no text of the log. */
function fieldsAt(element: Element, row: HTMLElement): string | null {
  let at = element.closest<HTMLElement>(DECIDES);
  while (at && at !== row) {
    if (!at.matches(LOG) || at.dataset.log === "none") return null;
    if (at.dataset.log) return at.dataset.log;
    at = at.parentElement?.closest<HTMLElement>("[data-record-id],[data-log]") ?? null;
  }
  // Its own chrome is reached without a text of the log on the way.
  if (at !== row || element.closest(DECIDES) === row) return null;
  return row.dataset.fields || null;
}

/** Ranges of the page for places of the text that these nodes are together; both in order. */
function rangesIn(places: readonly TextSpan[], nodes: readonly { node: Node; from: number }[]): Range[] {
  let at = 0;
  return places.flatMap(([from, to]) => {
    while ((nodes[at + 1]?.from ?? Number.POSITIVE_INFINITY) <= from) at += 1;
    const start = nodes[at];
    let last = at;
    while ((nodes[last + 1]?.from ?? Number.POSITIVE_INFINITY) < to) last += 1;
    const end = nodes[last];
    if (!start || !end) return [];
    const range = document.createRange();
    range.setStart(start.node, Math.min(from - start.from, start.node.nodeValue?.length ?? 0));
    range.setEnd(end.node, Math.min(to - end.from, end.node.nodeValue?.length ?? 0));
    return [range];
  });
}

const INLINE = new Set(["SPAN", "CODE", "A", "EM", "STRONG", "B", "I", "S", "DEL", "INS", "MARK", "TIME"]);

function blockOf(parent: Element, row: Element): Element {
  let element = parent;
  while (element !== row && INLINE.has(element.tagName) && element.parentElement)
    element = element.parentElement;
  return element;
}
