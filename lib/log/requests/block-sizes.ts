import { blockKind, type ContentBlock } from "@/lib/log/records/content-block";
import { JsonToken, JsonWalk, wordOf } from "@/lib/log/records/json-walk";
import { BlockKind, Flag } from "@/lib/log/table/kinds";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";

/** The size of an image or a page, in characters: about 1,500 tokens. */
const MEDIA_CHARS = 6000;

/** In lines longer than the first, strings longer than the second count by their bytes as logged. */
const MAX_COUNTED_LINE_BYTES = 2048;
const MAX_COUNTED_BYTES = 128;

/** Attachments that the client keeps for itself, or that are part of the system prompt and the tools. */
const NOT_SENT: ReadonlySet<string> = new Set([
  "prompt_snapshot",
  "deferred_tools_record",
  "command_permissions",
  "hook_system_message",
  "hook_non_blocking_error",
]);
const ATTACHMENT = "attachment/";

/** At most this many types of blocks are remembered: real logs have fewer. */
const MAX_KINDS = 16;

const WORDS = {
  attachment: wordOf("attachment"),
  base64: wordOf("base64"),
  content: wordOf("content"),
  data: wordOf("data"),
  input: wordOf("input"),
  isDisplayOnly: wordOf("isDisplayOnly"),
  message: wordOf("message"),
  name: wordOf("name"),
  rendered: wordOf("rendered"),
  requestRef: wordOf("requestRef"),
  signature: wordOf("signature"),
  text: wordOf("text"),
  thinking: wordOf("thinking"),
  true: wordOf("true"),
  type: wordOf("type"),
};

/** The sizes of a message's blocks, and whether any of them is a result. */
type Content = { parts: number[]; hasResults: boolean };
const NO_CONTENT: Content = { parts: [], hasResults: false };

/** An object or list that has not ended yet, or the surroundings of all of them. */
type Open = { isObject: boolean; isMedia: boolean; size: number };

/** Measures lines of a session's logs, without parsing them. */
export class BlockSizes {
  readonly #table: SessionTable;
  readonly #walk = new JsonWalk();
  #lineBytes = 0;
  readonly #kinds: { type: Uint8Array; kind: ContentBlock["kind"] }[] = [];

  /** Whether answers name the request that they answer, which precedes them in the log. */
  readonly #hasRefs: boolean;

  constructor(table: SessionTable) {
    this.#table = table;
    this.#hasRefs = table.types.list.includes("api-request");
  }

  /**
   * Measures each block of a record by its part of a request, in characters; what is not sent has none.
   * @param bytes contain its line from `from` to `to`
   * @param sizes by number of the block in the table
   * @returns the id of the request that it answers, where the client has logged it
   */
  measure(
    record: number,
    bytes: Uint8Array,
    from: number,
    to: number,
    sizes: { [block: number]: number },
  ): string | null {
    const table = this.#table;
    this.#walk.begin(bytes, from, to);
    this.#lineBytes = to - from;
    if (this.#walk.next() !== JsonToken.open) return null;
    const type = table.types.at(table.records.type.at(record)) ?? "";
    if (type === "user" || type === "assistant") return this.#measureMessage(record, type, sizes);
    const size = type === "system/local_command" ? this.#shownOutput() : this.#attachment(type);
    for (const block of blocksOf(table, record)) sizes[block] = size;
    return null;
  }

  #measureMessage(record: number, type: string, sizes: { [block: number]: number }): string | null {
    const { records, blocks } = this.#table;
    const isUsers = type === "user";
    const { content, ref } = this.#message(isUsers);
    if ((records.flags.at(record) & Flag.apiError) !== 0) return ref;
    // Beside results each block counts by itself; any other user line is one block.
    const whole = isUsers && !content.hasResults ? content.parts.reduce((sum, part) => sum + part, 0) : 0;
    for (const block of blocksOf(this.#table, record)) {
      const isWhole = blocks.kind.at(block) === BlockKind.record;
      const part = isUsers && !content.hasResults ? 0 : (content.parts[blocks.index.at(block)] ?? 0);
      sizes[block] = isWhole ? whole : part;
    }
    return ref;
  }

  /** The content of a line, in its message or, as older clients wrote it, beside its type. */
  #message(isUsers: boolean): { content: Content; ref: string | null } {
    const walk = this.#walk;
    const wantsRef = !isUsers && this.#hasRefs;
    // Most lines have a dozen short values before it that do not count.
    if (!wantsRef && walk.enterFirst(WORDS.message)) return { content: this.#contentInside(true), ref: null };
    let content = NO_CONTENT;
    let hasMessage = false;
    let ref: string | null = null;
    // It is followed by the client's structured form of the result, often as long again.
    while ((!hasMessage || wantsRef) && walk.nextKey()) {
      if (walk.is(WORDS.message)) {
        const token = walk.next();
        hasMessage = token === JsonToken.open;
        if (hasMessage) content = this.#contentInside(!wantsRef);
        else walk.leave(token);
      } else if (!hasMessage && walk.is(WORDS.content)) content = this.#content(walk.next());
      else if (wantsRef && walk.is(WORDS.requestRef)) ref = this.#text();
      else walk.skip();
    }
    return { content, ref };
  }

  /** @param isAll nothing behind the content is of interest */
  #contentInside(isAll: boolean): Content {
    let content = NO_CONTENT;
    while (this.#walk.nextKey()) {
      if (this.#walk.is(WORDS.content)) {
        content = this.#content(this.#walk.next());
        if (isAll) break;
      } else this.#walk.skip();
    }
    return content;
  }

  /** A string is one block, and so is a lone object. */
  #content(token: number): Content {
    const content: Content = { parts: [], hasResults: false };
    if (token === JsonToken.string) content.parts.push(this.#stringSize());
    else if (token === JsonToken.open) this.#addBlock(content);
    else if (token === JsonToken.openList)
      for (let next = this.#walk.next(); next !== JsonToken.closeList; next = this.#walk.next()) {
        if (next === JsonToken.end) break;
        if (next === JsonToken.open) this.#addBlock(content);
        else {
          this.#walk.leave(next);
          content.parts.push(0);
        }
      }
    return content;
  }

  #addBlock(content: Content): void {
    const walk = this.#walk;
    let kind = blockKind("");
    const sizes = { text: 0, thinking: 0, data: 0, signature: 0, name: 0, input: 0, content: 0 };
    while (walk.nextKey()) {
      if (walk.is(WORDS.type)) kind = this.#kind();
      else if (walk.is(WORDS.text)) sizes.text = this.#textSize();
      else if (walk.is(WORDS.input)) sizes.input = this.#textSize();
      else if (walk.is(WORDS.content)) sizes.content = this.#textSize();
      else if (walk.is(WORDS.name)) sizes.name = this.#textSize();
      else if (walk.is(WORDS.thinking)) sizes.thinking = this.#textSize();
      else if (walk.is(WORDS.signature)) sizes.signature = this.#textSize();
      else if (walk.is(WORDS.data)) sizes.data = this.#textSize();
      else walk.skip();
    }
    content.hasResults ||= kind === "tool-result";
    content.parts.push(partOf(kind, sizes));
  }

  /**
   * The kind of a block by its type, which is the next value: decoding each type would cost more than everything else
   * here.
   */
  #kind(): ContentBlock["kind"] {
    const walk = this.#walk;
    const token = walk.next();
    walk.leave(token);
    if (token !== JsonToken.string) return blockKind("");
    for (const { type, kind } of this.#kinds) if (walk.is(type)) return kind;
    const kind = blockKind(walk.text);
    if (this.#kinds.length < MAX_KINDS) this.#kinds.push({ type: wordOf(walk.text), kind });
    return kind;
  }

  /** 2.1.330 logs the text that was sent; before that, an attachment's own fields are what it was made from. */
  #attachment(type: string): number {
    if (!type.startsWith(ATTACHMENT)) return 0;
    const walk = this.#walk;
    let rendered: number | null = null;
    let own = 0;
    while (walk.nextKey()) {
      const isRendered = walk.is(WORDS.rendered);
      const isOwn = walk.is(WORDS.attachment);
      const token = walk.next();
      if (isRendered && token === JsonToken.openList) rendered = this.#rendered();
      else if (isOwn && token === JsonToken.open) own = this.#textSize(token);
      else walk.leave(token);
    }
    return rendered ?? (NOT_SENT.has(type.slice(ATTACHMENT.length)) ? 0 : own);
  }

  #rendered(): number {
    const walk = this.#walk;
    let size = 0;
    for (
      let token = walk.next();
      token !== JsonToken.closeList && token !== JsonToken.end;
      token = walk.next()
    ) {
      if (token !== JsonToken.open) walk.leave(token);
      else
        while (walk.nextKey()) {
          if (walk.is(WORDS.content)) size += this.#textSize();
          else walk.skip();
        }
    }
    return size;
  }

  /** What a local command printed. */
  #shownOutput(): number {
    const walk = this.#walk;
    let size = 0;
    let isShown = true;
    while (walk.nextKey()) {
      if (walk.is(WORDS.content)) size = this.#textSize();
      else if (walk.is(WORDS.isDisplayOnly)) {
        const token = walk.next();
        isShown = token !== JsonToken.scalar || !walk.is(WORDS.true);
        walk.leave(token);
      } else walk.skip();
    }
    return isShown ? size : 0;
  }

  /** The next value, if it is a string. */
  #text(): string | null {
    const token = this.#walk.next();
    this.#walk.leave(token);
    return token === JsonToken.string ? this.#walk.text : null;
  }

  /** The size of all strings in the next value, each image as what it counts for. @param first its first token */
  #textSize(first = this.#walk.next()): number {
    const walk = this.#walk;
    if (first === JsonToken.string) return this.#stringSize();
    const all: Open = { isObject: false, isMedia: false, size: 0 };
    const open = [all];
    for (let token = first; token !== JsonToken.end; token = walk.next()) {
      const inside = open[open.length - 1] ?? all;
      const isKey = inside.isObject && token === JsonToken.string;
      const isType = isKey && walk.is(WORDS.type);
      const isData = isKey && walk.is(WORDS.base64);
      const value = isKey ? walk.next() : token;
      if (value === JsonToken.string) {
        inside.size += this.#stringSize();
        if (isData || (isType && walk.is(WORDS.base64))) inside.isMedia = true;
      } else if (value === JsonToken.open || value === JsonToken.openList)
        open.push({ isObject: value === JsonToken.open, isMedia: false, size: 0 });
      else if (value === JsonToken.close || value === JsonToken.closeList) {
        open.pop();
        (open[open.length - 1] ?? all).size += inside.isMedia ? MEDIA_CHARS : inside.size;
      }
      if (open.length <= 1) break;
    }
    return all.size;
  }

  #stringSize(): number {
    const { bytes } = this.#walk;
    const isCounted = bytes <= MAX_COUNTED_BYTES || this.#lineBytes <= MAX_COUNTED_LINE_BYTES;
    return isCounted ? this.#walk.length : bytes;
  }
}

/** The size of a block by the sizes of its fields. */
function partOf(
  kind: ContentBlock["kind"],
  sizes: { [field in "text" | "thinking" | "data" | "signature" | "name" | "input" | "content"]: number },
): number {
  if (kind === "media") return MEDIA_CHARS;
  if (kind === "tool-use") return sizes.name + sizes.input;
  if (kind === "tool-result") return sizes.content;
  if (kind !== "thinking") return sizes.text;
  // Where its text is left out, its signature contains it, in base64.
  return sizes.thinking || sizes.data || Math.round((sizes.signature * 3) / 4);
}
