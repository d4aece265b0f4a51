import type { RecordId } from "@/lib/wire/ids";
import { parseRowKey } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** What a new comment will be about, before it is written: a block, or what is selected of it. */
export type CommentDraft = {
  recordId: RecordId;
  block: number;
  selected: { text: string; before: string } | null;
  /** The row in a few words, as it is shown. */
  about: string;
};

const MAX_SELECTED = 4_000;
const MAX_BEFORE = 200;

const MAX_ABOUT = 160;

/** A comment on a whole row. */
export function draftOf({ recordId, block }: Pick<Row, "recordId" | "block">): CommentDraft {
  const shown = document.querySelector(
    `article[data-record-id="${CSS.escape(recordId)}"][data-block="${block}"] [data-log]:not([data-log="none"])`,
  );
  const about = (shown?.textContent ?? "").trim().slice(0, MAX_ABOUT);
  return { recordId, block, selected: null, about: about || "The selected row" };
}

/** A comment on the text that is selected in a row, and where that ends on screen; null where none is, or of several rows. */
export function draftOfSelection(): { draft: CommentDraft; rect: DOMRect } | null {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const text = selection.toString().trim();
  const from = elementOf(range.startContainer);
  const article = from?.closest<HTMLElement>("article[data-record-id]");
  if (!article || text === "" || text.length > MAX_SELECTED) return null;
  // Three clicks select a paragraph and end at the start of what follows, which may be another row.
  const isWithin = article.contains(range.endContainer);
  if (!isWithin && !squeezed(article.textContent ?? "").includes(squeezed(text))) return null;
  const shown = from?.closest("[data-log]") ?? article;
  if (shown.getAttribute("data-log") === "none") return null;
  // What a call returned stands on another line than the call.
  const result =
    shown.getAttribute("data-log") === "output" ? article.dataset.shows?.split(" ")[0] : undefined;
  const own = {
    recordId: (article.dataset.recordId ?? "") as RecordId,
    block: Number(article.dataset.block),
  };
  const before = document.createRange();
  before.setStart(shown, 0);
  before.setEnd(range.startContainer, range.startOffset);
  return {
    draft: {
      ...(result ? parseRowKey(result) : own),
      selected: { text, before: before.toString().slice(-MAX_BEFORE) },
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
