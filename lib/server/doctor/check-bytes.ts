import { isUtf8 } from "node:buffer";
import type { RawLine } from "@/lib/log/records/line-splitter";
import type { Examination } from "./examination";

const CR = 0x0d;
const BACKSLASH = 0x5c;
const MOST_LEVELS = 256;

/** What can be told of a line before it is parsed: its encoding, its ends, its depth. */
export function checkBytes(examination: Examination, line: RawLine): void {
  const { bytes } = line;
  const hasMark = line.offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (hasMark) examination.find("byte-order-mark", { ...line, length: 3 }, "EF BB BF");
  if (bytes[bytes.length - 1] === CR) examination.find("carriage-return", line, "CR LF");
  if (!isUtf8(bytes))
    examination.find("invalid-utf8", line, "bytes that are no character are shown as U+FFFD");
  const half = loneSurrogate(bytes);
  if (half !== null) examination.find("lone-surrogate", line, half);
  const levels = depthOf(bytes);
  if (levels > MOST_LEVELS) examination.find("deep", line, `${levels} levels`);
}

/** The first `\udXXX` escape that is half of a pair, or `null`. Raw halves are no UTF-8 and are told as that. */
function loneSurrogate(bytes: Uint8Array): string | null {
  for (let at = bytes.indexOf(BACKSLASH); at !== -1; at = bytes.indexOf(BACKSLASH, at)) {
    const unit = unitAt(bytes, at);
    if (unit === -1) {
      at += 2;
      continue;
    }
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && isLow(unitAt(bytes, at + 6))) at += 12;
    else if (isHigh || isLow(unit)) return `\\u${unit.toString(16)}`;
    else at += 6;
  }
  return null;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** The code unit of the `\uXXXX` escape at `at`, -1 if none stands there. */
function unitAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== 0x75) return -1;
  let unit = 0;
  for (let i = at + 2; i < at + 6; i++) {
    const digit = Number.parseInt(String.fromCharCode(bytes[i] ?? 0), 16);
    if (Number.isNaN(digit)) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

/** How deep a line's brackets nest, strings left out. Only lines that open more than they could shallowly are walked. */
function depthOf(bytes: Uint8Array): number {
  if (!opensMany(bytes)) return 0;
  let depth = 0;
  let most = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) most = Math.max(most, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return most;
}

function opensMany(bytes: Uint8Array): boolean {
  let opened = 0;
  for (const bracket of [0x7b, 0x5b]) {
    for (let at = bytes.indexOf(bracket); at !== -1; at = bytes.indexOf(bracket, at + 1))
      if (++opened > MOST_LEVELS) return true;
  }
  return false;
}
