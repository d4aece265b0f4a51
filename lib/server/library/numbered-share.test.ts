import { expect, test } from "vitest";
import { MESSAGE_WORDS } from "@/lib/log/graph/session-share";
import { HashIndex } from "@/lib/log/table/hash-index";
import { extendShare, numberMessages, packShare } from "./numbered-share";

const conversion = { toLibrary: (model: number) => model, price: () => 3 };

/** Messages by their keys, each with counts and a second that follow from its key. */
function wordsOf(keys: readonly number[]): Uint32Array {
  return Uint32Array.from(
    keys.flatMap((key) => Array.from({ length: MESSAGE_WORDS }, (_, n) => key * 100 + n)),
  );
}

test("a session's columns lie in one piece of memory, and one that grows leaves the others as they are", () => {
  const index = new HashIndex();
  const numbered = numberMessages(wordsOf([1, 2]), index, conversion);
  const share = packShare({ ...numbered, turns: Int32Array.of(7, 8, 9) });
  const { messages, counts, seconds, facts, microUsd, turns } = share;
  const columns = [messages, seconds, facts, microUsd, turns, ...counts.filter((column) => column !== null)];
  expect(new Set(columns.map(({ buffer }) => buffer)).size).toBe(1);
  expect(share).toEqual({ ...numbered, turns: Int32Array.of(7, 8, 9) });
  const firstNew = index.size;
  const more = numberMessages(wordsOf([2, 3, 4]), index, conversion);
  const { share: grown, added } = extendShare(share, more, conversion.price, firstNew);
  expect([...added]).toEqual([2, 3]);
  expect(grown).toEqual(numberMessages(wordsOf([1, 2, 3, 4]), index, conversion));
  expect(share).toEqual({ ...numbered, turns: Int32Array.of(7, 8, 9) });
});
