import { expect, test } from "vitest";
import type { ProjectId, RecordId, SessionId } from "@/lib/wire/ids";
import type { SearchField, SearchHit } from "@/lib/wire/search";
import { rankHits } from "./rank-hits";

/** A hit whose match stands between square brackets. */
function hit(marked: string, field: SearchField = "text", atMs: number | null = 0): SearchHit {
  const from = marked.indexOf("[");
  const to = marked.indexOf("]") - 1;
  return {
    projectId: "p" as ProjectId,
    sessionId: "s" as SessionId,
    agentId: null,
    recordId: "m~0" as RecordId,
    block: 0,
    field,
    tool: null,
    snippet: marked.replace(/[[\]]/g, ""),
    ranges: [[from, to]],
    atMs,
  };
}

const ranked = (...hits: SearchHit[]) => rankHits(hits).map(({ snippet, field }) => `${field}: ${snippet}`);

test("a whole word ranks before a part of one, wherever either was found", () => {
  expect(ranked(hit("[retry]ing", "title"), hit("un[retry]"), hit("a [retry], again", "meta"))).toEqual([
    "meta: a retry, again",
    "title: retrying",
    "text: unretry",
  ]);
});

test("text of people and the model ranks before text of tools", () => {
  const fields: SearchField[] = ["meta", "raw", "output", "input", "thinking", "text", "prompt"];
  expect(ranked(...fields.map((field) => hit("[x]", field)))).toEqual(
    ["prompt", "text", "thinking", "input", "output", "raw", "meta"].map((field) => `${field}: x`),
  );
});

test("within a field the newest comes first, and hits without a time last", () => {
  expect(
    ranked(hit("[x] old", "text", 1), hit("[x] never", "text", null), hit("[x] new", "text", 2)),
  ).toEqual(["text: x new", "text: x old", "text: x never"]);
});

test("Chinese has no gaps between words: a match inside a sentence is whole", () => {
  expect(ranked(hit("ab[ab]", "text"), hit("请[重试]一次", "output"))).toEqual([
    "output: 请重试一次",
    "text: abab",
  ]);
});

test("equals stay in the order in which they were found", () => {
  expect(ranked(hit("[x] one"), hit("[x] two"), hit("[x] three"))).toEqual([
    "text: x one",
    "text: x two",
    "text: x three",
  ]);
});
