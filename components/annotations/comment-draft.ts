import { firstWords } from "@/lib/format/text";
import type { FileLines } from "@/lib/wire/annotations";
import type { RecordId } from "@/lib/wire/ids";
import { formatRowKey, parseRowKey } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** The subject of a new comment, before it is written: a block, or a selection in it. */
export type CommentDraft = {
  recordId: RecordId;
  block: number;
  selected: { text: string; before: string } | null;
  /** Its position in a file, if it is part of a diff. */
  lines: FileLines | null;
  /** The row in a few words, as it is shown. */
  about: string;
};

const MAX_SELECTED = 4_000;
const MAX_BEFORE = 200;

const MAX_ABOUT = 160;

/**
 * A comment on a whole row or change, or on the hunk or the lines of its diff that the address names.
 * @param about what is known of the row where it is not drawn yet
 */
export function draftOf({ recordId, block }: Pick<Row, "recordId" | "block">, about = ""): CommentDraft {
  const change = CSS.escape(formatRowKey(recordId, block));
  const article = document.querySelector(
    `article[data-record-id="${CSS.escape(recordId)}"][data-block="${block}"], [data-change="${change}"]`,
  );
  const marked = article ? markedLines(article) : [];
  const text = marked.map((line) => line.lastElementChild?.textContent ?? "").join("\n");
  if (text.trim() !== "" && text.length <= MAX_SELECTED)
    return { recordId, block, selected: { text, before: "" }, lines: fileLinesOf(marked), about: text };
  const begins = firstWords(article ? beginningOf(article) : "", MAX_ABOUT);
  const file = article?.querySelector<HTMLElement>("[data-file]")?.dataset.file;
  return {
    recordId,
    block,
    selected: null,
    lines: null,
    about: begins || file || about || "The selected row",
  };
}

/** A text of the log in a row: of a prompt its heading, of an answer its Markdown, which may have code in it. */
const LOG_TEXT = 'h2, [data-markdown], [data-log]:not([data-log="none"])';
const BLOCK = "p, li, pre, tr, blockquote, h1, h2, h3, h4, h5, h6, div";

/** The first text of the log in a row, without what the page says in it; blocks of it on lines of their own. */
function beginningOf(article: Element): string {
  const isOwn = (element: Element | null) => element?.closest('[data-log="none"], button') === null;
  const shown = [...article.querySelectorAll(LOG_TEXT)].find(isOwn);
  if (!shown) return "";
  const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  let text = "";
  let block: Element | null = null;
  for (let node = walker.nextNode(); node && text.length < MAX_ABOUT * 4; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!isOwn(parent)) continue;
    const inBlock = parent?.closest(BLOCK) ?? null;
    if (block !== null && inBlock !== block) text += "\n";
    block = inBlock;
    text += node.nodeValue ?? "";
  }
  return text;
}

const DIFF_LINES = "[data-file] :is([data-line], [data-old-line])";

/** The lines of a row's diff that the address names: the lines themselves, or all of a hunk. */
function markedLines(article: Element): Element[] {
  const all = [...article.querySelectorAll(`${DIFF_LINES}, [data-file] [data-hunk]`)];
  const hunk = all.findIndex((one) => one.matches("[data-hunk][data-marked]"));
  if (hunk === -1) return all.filter((one) => one.matches("[data-marked]"));
  const next = all.findIndex((one, at) => at > hunk && one.matches("[data-hunk]"));
  return all.slice(hunk + 1, next === -1 ? undefined : next);
}

/**
 * The lines of a file that correspond to these lines of a diff: after the change, or, if all are removed, before it.
 */
function fileLinesOf(lines: readonly Element[]): FileLines | null {
  const path = lines[0]?.closest<HTMLElement>("[data-file]")?.dataset.file;
  if (!path) return null;
  const numbers = (name: string) =>
    lines.flatMap((line) => Number(line.getAttribute(name)) || []).toSorted((a, b) => a - b);
  const [after, before] = [numbers("data-line"), numbers("data-old-line")];
  const own = after.length > 0 ? after : before;
  const [from, to] = [own[0], own.at(-1)];
  return from === undefined || to === undefined ? null : { path, from, to, before: after.length === 0 };
}

/** Whether a range contains any text of an element: one that ends where the element begins only touches it. */
function holdsTextOf(range: Range, element: Element): boolean {
  if (!range.intersectsNode(element)) return false;
  const part = document.createRange();
  part.selectNodeContents(element);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0)
    part.setEnd(range.endContainer, range.endOffset);
  return part.toString() !== "";
}

/** What can be commented on as a whole: a row of a thread, or what a call did to a file, by its row's key. */
const COMMENTED = "article[data-record-id], [data-change]";

/** The block that such an element shows. */
function blockOf({ dataset }: HTMLElement): { recordId: RecordId; block: number } {
  const { change, recordId, block } = dataset;
  return change ? parseRowKey(change) : { recordId: recordId as RecordId, block: Number(block) };
}

/**
 * A comment on the selected text of a row or a change, and where the selection ends on screen; null if nothing is
 * selected, or text of several.
 */
export function draftOfSelection(): { draft: CommentDraft; rect: DOMRect } | null {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const text = selection.toString().trim();
  const from = elementOf(range.startContainer);
  const article = from?.closest<HTMLElement>(COMMENTED);
  if (!article || text === "" || text.length > MAX_SELECTED) return null;
  // Three clicks select a paragraph and end at the start of what follows, which may be another row.
  const isWithin = article.contains(range.endContainer);
  if (!isWithin && !squeezed(article.textContent ?? "").includes(squeezed(text))) return null;
  const shown = from?.closest("[data-log]") ?? article;
  if (shown.getAttribute("data-log") === "none") return null;
  // A call's result is on another line than the call.
  const result =
    shown.getAttribute("data-log") === "output" ? article.dataset.shows?.split(" ")[0] : undefined;
  const before = document.createRange();
  before.setStart(shown, 0);
  before.setEnd(range.startContainer, range.startOffset);
  return {
    draft: {
      ...(result ? parseRowKey(result) : blockOf(article)),
      selected: { text, before: before.toString().slice(-MAX_BEFORE) },
      lines: fileLinesOf([...article.querySelectorAll(DIFF_LINES)].filter((one) => holdsTextOf(range, one))),
      about: text,
    },
    rect: range.getBoundingClientRect(),
  };
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}
