import { expect, test } from "vitest";
import { parseQuery } from "@/lib/query/parse-query";
import { applyCompletion, completeQuery } from "./completion";

const VOCABULARY = { project: ["courier", "my shop"], branch: ["main", "fix/retry"] };
/** The caret is at the `|`. */
const offers = (typed: string) =>
  completeQuery(typed.replace("|", ""), typed.indexOf("|"), VOCABULARY).map(({ text }) => text);
const first = (typed: string) => {
  const query = typed.replace("|", "");
  const [completion] = completeQuery(query, typed.indexOf("|"), VOCABULARY);
  return completion ? applyCompletion(query, completion).query : query;
};

test("a filter's name from its first letters", () => {
  expect(offers("retry i|")).toEqual(["in:", "is:"]);
  expect(offers("-to|")).toEqual(["tool:", "tokens:"]);
  expect(offers("retry |")).toEqual([]);
});

test("its values, fixed ones and those of this machine", () => {
  expect(offers("in:t|")).toEqual([
    "in:text ",
    "in:thinking ",
    "in:title ",
    "in:prompt ",
    "in:input ",
    "in:output ",
  ]);
  expect(offers("project:|")).toEqual(["project:courier ", 'project:"my shop" ']);
  expect(offers("branch:ret|")).toEqual(["branch:fix/retry "]);
  expect(offers("is:error|")).toEqual([]);
});

test("in: offers projects as well, behind the places in a session", () => {
  expect(offers("in:co|")).toEqual(["in:command ", "in:courier "]);
  expect(offers("in:cour|")).toEqual(["in:courier "]);
});

test("a value is offered so that the query finds it", () => {
  const project = ["C:\\my shop", "shop(old)", 'a"b'];
  const texts = completeQuery("project:", 8, { project }).map(({ text }) => text);
  const read = texts.map((text) => parseQuery(`(${text})`).query);
  expect(read).toEqual(project.map((value) => ({ kind: "filter", name: "project", value })));
});

test("the open session is offered where there is one", () => {
  const offered = (vocabulary: typeof VOCABULARY & { in?: readonly string[] }) =>
    completeQuery("in:th", 5, vocabulary).map(({ text }) => text);
  expect(offered(VOCABULARY)).not.toContain("in:this-session ");
  expect(offered({ ...VOCABULARY, in: ["this-session"] })).toEqual(
    expect.arrayContaining(["in:this-session ", "in:thinking "]),
  );
});

test("the completion replaces what was typed, and only that", () => {
  expect(first("retry in:ou| backoff")).toBe("retry in:output backoff");
  expect(first("-to|")).toBe("-tool:");
});

test("inside a phrase nothing is offered", () => {
  expect(offers('"in|')).toEqual([]);
});
