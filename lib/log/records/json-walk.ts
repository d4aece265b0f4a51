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

/**
 * Up to this many bytes of a string are checked one by one: calling a function that finds its end would take longer.
 */
const NEAR_BYTES = 48;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** What comes next in a line. A `scalar` is a number, `true`, `false` or `null`. */
export const JsonToken = {
  end: 0,
  scalar: 1,
  string: 2,
  open: 3,
  close: 4,
  openList: 5,
  closeList: 6,
} as const;

/** A word as `JsonWalk.is` takes it. */
export function wordOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/**
 * Walks along a line of JSON without creating values, for measuring it. The line must have been parsed before. For any
 * other line the answers mean nothing, but the walk ends.
 */
export class JsonWalk {
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;
  /** The last string, without its quotes, or scalar, and whether each of its bytes is a character. */
  #from = 0;
  #to = 0;
  #isPlain = true;

  /** Starts over, before the value between these offsets. */
  begin(bytes: Uint8Array, from: number, to: number): void {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  /** Passes the next token and returns what it is; commas and colons are skipped. */
  next(): number {
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at++] as number;
      if (byte === QUOTE) return this.#passString();
      if (byte === OPEN) return JsonToken.open;
      if (byte === CLOSE) return JsonToken.close;
      if (byte === OPEN_LIST) return JsonToken.openList;
      if (byte === CLOSE_LIST) return JsonToken.closeList;
      if (byte > SPACE && byte !== COMMA && byte !== COLON) return this.#passScalar();
    }
    return JsonToken.end;
  }

  /** In an object: passes the next key and returns true, or passes the object's end and returns false. */
  nextKey(): boolean {
    return this.next() === JsonToken.string;
  }

  /**
   * In an object: if the first object inside has this key, written without spaces, enters it, skipping all strings and
   * scalars before it at once. Otherwise stays where it is and returns false.
   */
  enterFirst(key: Uint8Array): boolean {
    const bytes = this.#bytes;
    const open = bytes.indexOf(OPEN, this.#at);
    const from = open - key.length - 2;
    if (open >= this.#end || from <= this.#at || bytes[open - 1] !== COLON) return false;
    // In a text, both quotes would be escaped.
    if (bytes[from - 1] !== QUOTE || bytes[open - 2] !== QUOTE || !this.#stands(key, from)) return false;
    this.#at = open + 1;
    return true;
  }

  /** Whether the last string or scalar is this word. */
  is(word: Uint8Array): boolean {
    return this.#to - this.#from === word.length && this.#stands(word, this.#from);
  }

  #stands(word: Uint8Array, from: number): boolean {
    for (let at = 0; at < word.length; at++) if (this.#bytes[from + at] !== word[at]) return false;
    return true;
  }

  /** Passes the next value. */
  skip(): void {
    this.leave(this.next());
  }

  /** Passes the end of the object or list that this token has opened, if it has. */
  leave(token: number): void {
    let depth = depthOf(token);
    while (depth > 0) {
      const inside = this.next();
      if (inside === JsonToken.end) return;
      depth += depthOf(inside);
    }
  }

  /** The last string's text. */
  get text(): string {
    const text = decoder.decode(this.#bytes.subarray(this.#from, this.#to));
    if (this.#isPlain || !text.includes("\\")) return text;
    try {
      return String(JSON.parse(`"${text}"`));
    } catch {
      return text;
    }
  }

  /** The last string's bytes, as logged. */
  get bytes(): number {
    return this.#to - this.#from;
  }

  /** The last string's length, in characters. */
  get length(): number {
    if (this.#isPlain) return this.#to - this.#from;
    let length = 0;
    for (let at = this.#from; at < this.#to; at++) {
      const byte = this.#bytes[at] as number;
      if (byte === BACKSLASH) at += this.#bytes[at + 1] === UNICODE_ESCAPE ? 5 : 1;
      // A character of four bytes in UTF-8 is two units; of all others the first byte counts.
      if (byte >= 0xf0) length += 2;
      else if ((byte & 0xc0) !== 0x80) length += 1;
    }
    return length;
  }

  /** Passes the rest of a string whose quote has been read. */
  #passString(): number {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    this.#from = at;
    this.#isPlain = true;
    const near = Math.min(end, at + NEAR_BYTES);
    while (at < near) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) return this.#passedTo(at);
      if (byte === BACKSLASH) at += 1;
      if (byte === BACKSLASH || byte >= 0x80) this.#isPlain = false;
      at += 1;
    }
    this.#isPlain = false;
    for (;;) {
      at = bytes.indexOf(QUOTE, at);
      if (at === -1 || at >= end) return this.#passedTo(end);
      let slashes = 0;
      while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
      if (slashes % 2 === 0) return this.#passedTo(at);
      at += 1;
    }
  }

  #passedTo(close: number): number {
    this.#to = close;
    this.#at = close + 1;
    return JsonToken.string;
  }

  /** Passes the rest of a scalar of which one byte has been read. */
  #passScalar(): number {
    this.#from = this.#at - 1;
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at] as number;
      if (byte <= SPACE || byte === COMMA || byte === CLOSE || byte === CLOSE_LIST) break;
      this.#at += 1;
    }
    this.#to = this.#at;
    return JsonToken.scalar;
  }
}

function depthOf(token: number): number {
  if (token === JsonToken.open || token === JsonToken.openList) return 1;
  return token === JsonToken.close || token === JsonToken.closeList ? -1 : 0;
}
