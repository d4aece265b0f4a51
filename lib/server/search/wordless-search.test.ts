import { describe, expect, it } from "vitest";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";

function call(id: string, name: string, input: object) {
  const content = [{ type: "tool_use", id, name, input }];
  const message = { id: `msg-${id}`, role: "assistant", content };
  return { type: "assistant", uuid: `c-${id}`, timestamp: "2026-01-02T03:04:07.000Z", message };
}

function result(id: string, content: string, more: object = {}) {
  const block = { type: "tool_result", tool_use_id: id, content, ...more };
  const message = { role: "user", content: [block] };
  return { type: "user", uuid: `r-${id}`, timestamp: "2026-01-02T03:04:08.000Z", message };
}

const LOG = [
  prompt("run the tests"),
  call("t1", "Bash", { command: "npm test" }),
  result("t1", "two tests failed", { is_error: true }),
  call("t2", "Read", { file_path: "/a/b.ts" }),
  result("t2", "const b = 1"),
];

async function openLibrary() {
  const path = makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: LOG });
  const { search } = await searchedLibrary(path, false);
  return async (q: string) => {
    const page = await search.page({ q, project: null, session: null, limit: 50, cursor: null });
    return page.hits.map(({ field, snippet }) => `${field}: ${snippet}`);
  };
}

describe("a search for no word", () => {
  it("finds the outputs it asks for", async () => {
    const find = await openLibrary();
    expect(await find("in:output is:error")).toEqual(["output: two tests failed"]);
    expect(await find("in:output tool:Read")).toEqual(["output: const b = 1"]);
    expect(await find("is:error (in:output OR in:meta) tool:Bash -in:meta")).toEqual([
      "output: two tests failed",
    ]);
  });

  it("finds what was said if it asks for no field, or for such a field", async () => {
    const find = await openLibrary();
    expect(await find("is:error")).toEqual(["input: npm test"]);
    expect(await find("in:prompt")).toEqual(["prompt: run the tests"]);
    expect(await find("tool:Bash (in:output OR in:input)")).toEqual(["input: npm test"]);
  });
});
