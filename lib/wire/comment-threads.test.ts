import { expect, test } from "vitest";
import { madeComment } from "@/lib/testing/library/made-comment";
import { byPlace, groupByPlace, marksOfRow, threadsOf } from "./comment-threads";
import type { RecordId } from "./ids";

test("a row has the comments on its own block and on those of other lines that it shows", () => {
  const input = madeComment("On the call");
  const output = madeComment("On its result", {}, { recordId: "m~2b" as RecordId, block: 1 });
  const places = groupByPlace([
    input,
    output,
    madeComment("Lost", { state: "detached" }),
    madeComment("", { kind: "bookmark" }),
  ]);
  const bodies = (row: { key: string; shows?: string[] }) =>
    marksOfRow(places, row).flatMap(({ threads }) => threads.map(({ begins }) => begins.body));
  expect(bodies({ key: "m~1k9.0", shows: ["m~2b.1"] })).toEqual(["On the call", "On its result"]);
  expect(bodies({ key: "m~1k9.1" })).toEqual([]);
  expect(places.get("m~1k9.0")?.bookmarks.map(({ kind }) => kind)).toEqual(["bookmark"]);
});

test("an answer to a comment that is not there, as a part of a collection may have one, is shown by itself", () => {
  const first = madeComment("Why?");
  const all = [
    madeComment("Lost", { replyTo: "elsewhere" }),
    first,
    madeComment("Since", { replyTo: first.id }),
  ];
  expect(threadsOf(all).map(({ begins, answers }) => [begins, ...answers].map(({ body }) => body))).toEqual([
    ["Lost"],
    ["Why?", "Since"],
  ]);
});

test("comments are in the order of the log: the main one's first, in a line by the words that they are about", () => {
  const at = (body: string, recordId: string, from: number | null) =>
    madeComment(
      body,
      {},
      { recordId: recordId as RecordId, range: from === null ? null : { from, to: from + 1 } },
    );
  const all = [
    at("agent", "a1~5", null),
    at("words behind", "m~z", 9),
    at("far", "m~10", null),
    at("other agent", "a0~9", null),
    at("words", "m~z", 2),
    at("line", "m~z", null),
  ];
  expect(all.toSorted(byPlace).map(({ body }) => body)).toEqual([
    ...["line", "words", "words behind", "far", "other agent", "agent"],
  ]);
});
