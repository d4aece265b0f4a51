import {
  BACKSLASH,
  CLOSE,
  CLOSE_LIST,
  COLON,
  COMMA,
  OPEN,
  OPEN_LIST,
  QUOTE,
  SPACE,
  UNICODE_ESCAPE,
} from "./json-bytes";

/** What may come next. The last three states are inside a string. */
const KEY_OR_CLOSE = 0;
const KEY = 1;
const AFTER_KEY = 2;
const VALUE = 3;
const VALUE_OR_CLOSE = 4;
const AFTER_VALUE = 5;
const IN_SCALAR = 6;
const IN_STRING = 7;
const IN_ESCAPE = 8;
const IN_HEX = 9;

/** What is known about the fields of an open object. */
const HAS_UUID = 1;
const HAS_TYPE = 2;
const IS_CONTENT = 4;
const FLAG_BITS = 3;
const FLAGS = (1 << FLAG_BITS) - 1;

const SCALAR = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/;

/** Record types, excluding the types of content blocks (`text`, `tool_use`). */
const RECORD_TYPE =
  /^(?!(text|thinking|redacted_thinking|tool_use|tool_result|image|document|base64)$)[a-z][a-z0-9_-]*$/;

/** Fields of messages and blocks that a record never has. */
const CONTENT_KEYS = new Set(["role", "text", "tool_use_id"]);

/**
 * Reads an object of a line byte by byte, as strictly as `JSON.parse`, and finds the record that it is, or, where
 * the object itself was cut off, the last record inside it. Needs eight bytes for each open object.
 */
export class ObjectReader {
  readonly #line: Uint8Array;
  #state = KEY_OR_CLOSE;
  /** Two numbers per open object: its start; the number of open lists in it, combined with its flags. */
  #open = new Uint32Array(16);
  #depth = 0;
  /** Start of the string or scalar that is being read. */
  #from = 0;
  #isKey = false;
  #hexDigits = 0;
  /** The key whose value comes next, where it matters. */
  #key = "";

  /** Nothing more can be found: the object has ended, or a byte was not valid JSON. */
  isDone = false;
  found: { from: number; to: number } | null = null;

  /** @param start offset of the object in the line: its `{` has been read */
  constructor(line: Uint8Array, start: number) {
    this.#line = line;
    this.#push(start);
  }

  get isInString(): boolean {
    return this.#state >= IN_STRING;
  }

  /** True inside a string, except inside an escape. */
  get isInText(): boolean {
    return this.#state === IN_STRING;
  }

  /** Takes the byte at offset `at` of the line. Bytes must be given in order. */
  step(byte: number, at: number): void {
    if (this.#state >= IN_STRING) return this.#stepInString(byte, at);
    if (this.#state === IN_SCALAR) {
      if (isScalar(byte)) return;
      if (!SCALAR.test(this.#textTo(at))) return this.#end();
      this.#state = AFTER_VALUE;
    }
    if (byte === SPACE || byte === 0x0d || byte === 0x09 || byte === 0x0a) return;
    switch (this.#state) {
      case KEY_OR_CLOSE:
        if (byte === CLOSE) return this.#close(at);
        return byte === QUOTE ? this.#beginString(at, true) : this.#end();
      case KEY:
        return byte === QUOTE ? this.#beginString(at, true) : this.#end();
      case AFTER_KEY:
        if (byte !== COLON) return this.#end();
        this.#state = VALUE;
        return;
      case AFTER_VALUE:
        return this.#stepAfterValue(byte, at);
      case VALUE_OR_CLOSE:
        return byte === CLOSE_LIST ? this.#closeList() : this.#beginValue(byte, at);
      default:
        return this.#beginValue(byte, at);
    }
  }

  #stepInString(byte: number, at: number): void {
    if (this.#state === IN_STRING) {
      if (byte === QUOTE) this.#endString(at);
      else if (byte === BACKSLASH) this.#state = IN_ESCAPE;
      else if (byte < SPACE) this.#end();
    } else if (this.#state === IN_ESCAPE) {
      this.#hexDigits = 4;
      if (byte === UNICODE_ESCAPE) this.#state = IN_HEX;
      else if (`"\\/bfnrt`.includes(String.fromCharCode(byte))) this.#state = IN_STRING;
      else this.#end();
    } else if (!/[0-9a-fA-F]/.test(String.fromCharCode(byte))) this.#end();
    else if (--this.#hexDigits === 0) this.#state = IN_STRING;
  }

  #stepAfterValue(byte: number, at: number): void {
    const isInList = this.#lists > 0;
    if (byte === COMMA) this.#state = isInList ? VALUE : KEY;
    else if (byte === CLOSE && !isInList) this.#close(at);
    else if (byte === CLOSE_LIST && isInList) this.#closeList();
    else this.#end();
  }

  #beginValue(byte: number, at: number): void {
    if (byte === QUOTE) return this.#beginString(at, false);
    this.#key = "";
    if (byte === OPEN) {
      this.#push(at);
      this.#state = KEY_OR_CLOSE;
    } else if (byte === OPEN_LIST) {
      this.#lists += 1;
      this.#state = VALUE_OR_CLOSE;
    } else if (isScalar(byte)) {
      this.#from = at;
      this.#state = IN_SCALAR;
    } else this.#end();
  }

  #beginString(at: number, isKey: boolean): void {
    this.#from = at + 1;
    this.#isKey = isKey;
    this.#state = IN_STRING;
  }

  #endString(at: number): void {
    if (this.#isKey) {
      this.#state = AFTER_KEY;
      const length = at - this.#from;
      this.#key = length === 4 || length === 11 ? this.#textTo(at) : "";
      if (CONTENT_KEYS.has(this.#key)) this.#flag(IS_CONTENT);
      return;
    }
    this.#state = AFTER_VALUE;
    // Inside a list, `#key` is the key of the list.
    if (this.#lists === 0 && this.#key === "uuid") this.#flag(HAS_UUID);
    if (this.#lists === 0 && this.#key === "type" && RECORD_TYPE.test(this.#textTo(at))) this.#flag(HAS_TYPE);
    this.#key = "";
  }

  #closeList(): void {
    this.#lists -= 1;
    this.#state = AFTER_VALUE;
  }

  /** The innermost object ends: it is a record, unless it is part of the object around it. */
  #close(at: number): void {
    const slot = (this.#depth - 1) * 2;
    const flags = (this.#open[slot + 1] as number) & FLAGS;
    this.#depth -= 1;
    this.#state = AFTER_VALUE;
    const isAlone = !this.#continuesAfter(at + 1) || (this.#depth === 0 && (flags & HAS_UUID) !== 0);
    if ((flags & IS_CONTENT) === 0 && flags !== 0 && isAlone)
      this.found = { from: this.#open[slot] as number, to: at + 1 };
    if (this.#depth === 0) this.#end();
  }

  /** True when the enclosing object continues after this one. A line break or another record does not continue it. */
  #continuesAfter(at: number): boolean {
    let next = at;
    while (this.#line[next] === SPACE || this.#line[next] === 0x0d || this.#line[next] === 0x09) next += 1;
    const byte = this.#line[next];
    return byte === COMMA || byte === CLOSE || byte === CLOSE_LIST;
  }

  #end(): void {
    this.isDone = true;
  }

  #push(start: number): void {
    if ((this.#depth + 1) * 2 > this.#open.length) {
      const more = new Uint32Array(this.#open.length * 2);
      more.set(this.#open);
      this.#open = more;
    }
    this.#open[this.#depth * 2] = start;
    this.#open[this.#depth * 2 + 1] = 0;
    this.#depth += 1;
  }

  #flag(flag: number): void {
    this.#open[this.#depth * 2 - 1] = (this.#open[this.#depth * 2 - 1] as number) | flag;
  }

  /** Number of lists open in the innermost object. */
  get #lists(): number {
    return (this.#open[this.#depth * 2 - 1] as number) >>> FLAG_BITS;
  }

  set #lists(count: number) {
    const flags = (this.#open[this.#depth * 2 - 1] as number) & FLAGS;
    this.#open[this.#depth * 2 - 1] = (count << FLAG_BITS) | flags;
  }

  #textTo(at: number): string {
    return new TextDecoder().decode(this.#line.subarray(this.#from, at));
  }
}

/** Bytes that occur in numbers, `true`, `false` and `null`. */
function isScalar(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45
  );
}
