import { expect, test } from "vitest";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";

const REVIEW =
  "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>okapi 7</command-args>";
const LOG = [
  prompt(REVIEW),
  prompt("<bash-input>feed --okapi</bash-input>"),
  prompt("<bash-stdout>okapi fed</bash-stdout><bash-stderr></bash-stderr>"),
  // As 2.1.330 writes some, which the index does not have.
  {
    ...{ type: "system", subtype: "local_command", uuid: "s1", timestamp: "2026-01-02T03:04:08.000Z" },
    content: "<command-name>/model</command-name>\n<command-args>opus zebra</command-args>",
  },
];

/** Hits as `field: snippet`, without those in the test lines' uuids, which repeat their words. */
async function openLibrary(isIndexed: boolean) {
  const { search } = await searchedLibrary(makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: LOG }), isIndexed);
  return async (q: string) => {
    const page = await search.page({ q, project: null, session: null, limit: 50, cursor: null });
    return page.hits
      .filter(({ field }) => field !== "meta" && field !== "title")
      .map(({ field, snippet }) => `${field}: ${snippet}`);
  };
}

test.each([
  ["with an index", true],
  ["without one", false],
])("a command, and what it printed, are found as their rows show them, %s", async (_, isIndexed) => {
  const find = await openLibrary(isIndexed);
  for (const typed of ['"/review okapi 7"', "/review 7"])
    expect(await find(typed), typed).toEqual(["command: /review okapi 7"]);
  expect(await find('"! feed --okapi"')).toEqual(["command: ! feed --okapi"]);
  expect(await find("in:output okapi")).toEqual(["output: okapi fed"]);
  // Nothing shows the names of their elements.
  for (const name of ["message", "args", "bash", "stdout"]) expect(await find(name), name).toEqual([]);
});

test.each([
  ["with an index", true],
  ["without one", false],
])(
  "a phrase may begin in a command's name and go on in what was typed behind it, %s",
  async (_, isIndexed) => {
    const find = await openLibrary(isIndexed);
    for (const typed of ['"review okapi"', '"VIEW okapi 7"'])
      expect(await find(typed), typed).toEqual(["command: /review okapi 7"]);
    for (const typed of ['"/model opus"', '"model opus zebra"', '"odel opus" -in:title'])
      expect(await find(typed), typed).toEqual(["output: /model opus zebra"]);
  },
);
