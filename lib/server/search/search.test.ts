import { describe, expect, it } from "vitest";
import {
  AGENT_LOG,
  callLine,
  MAIN_LOG,
  openSearched,
  resultLine,
} from "@/lib/testing/library/searched-lines";
import { answer, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { formatRecordId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";

const LONG = "filler ".repeat(2000);

function thinking(text: string): Record<string, unknown> {
  return {
    type: "assistant",
    uuid: "t1",
    message: { id: "mt", role: "assistant", content: [{ type: "thinking", thinking: text }] },
  };
}

describe.each([
  ["with an index", true],
  ["without one", false],
])("search %s", (_name, indexed) => {
  it("finds a word in every place, once", async () => {
    const { told } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt(`${LONG} zebraprompt in the end`),
          thinking(`${LONG} zebrathinking`),
          answer(`${LONG} zebratext`),
          callLine("Bash", { command: `${LONG} zebrainput`, nested: { deep: ["zebranested"] } }),
          resultLine(`${LONG} zebraoutput`),
          { type: "file-history-snapshot", snapshot: { note: "zebrameta" } },
          '{"type":"user","broken zebraraw',
        ],
        [AGENT_LOG]: [
          prompt("go", { isSidechain: true, agentId: "a1" }),
          answer("zebraagent", { isSidechain: true, agentId: "a1" }),
        ],
      },
      indexed,
    );
    expect(await told("ZEBRAprompt")).toEqual(["prompt: filler  [zebraprompt] in the "]);
    expect(await told("zebrathinking")).toEqual(["thinking: filler  [zebrathinking]"]);
    expect(await told("zebratext")).toEqual(["text: filler  [zebratext]"]);
    expect(await told("zebrainput")).toEqual(["input: filler  [zebrainput] zebrane"]);
    expect(await told("zebranested")).toHaveLength(1);
    expect(await told("zebraoutput")).toEqual(["output: filler  [zebraoutput]"]);
    expect(await told("zebrameta")).toEqual(["meta: [zebrameta]"]);
    expect(await told("zebraraw")).toEqual(['raw: "broken [zebraraw]']);
    expect(await told("zebraagent")).toEqual(["agent a1 text: [zebraagent]"]);
    expect(await told("zebranowhere")).toEqual([]);
    expect((await told("zebra")).length).toBe(7);
  });

  it("finds in a part of a session the same as in all of it", async () => {
    const call1 = callLine("Bash", { command: "feed the okapi" });
    const { all } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("okapi prompt"),
          thinking("okapi thought"),
          answer("okapi text"),
          call1,
          resultLine("okapi output"),
          { type: "custom-title", customTitle: "okapi title" },
          '{"type":"user","broken okapi',
        ],
        [AGENT_LOG]: [prompt("okapi", { isSidechain: true, agentId: "a1" }), { ...call1, uuid: "c2" }],
      },
      indexed,
    );
    const names = (hits: SearchHit[]) => hits.map((hit) => `${hit.field} ${hit.recordId}`).toSorted();
    const every = await all("okapi");
    const fields = new Set(every.map(({ field }) => field));
    expect([...fields]).toEqual(
      expect.arrayContaining(["title", "prompt", "text", "thinking", "input", "output"]),
    );
    const these = async (q: string) => names(await all(`okapi ${q}`));
    const those = (holds: (hit: SearchHit) => boolean) => names(every.filter(holds));
    for (const name of ["title", "prompt", "text", "thinking", "input", "output", "meta", "raw"])
      expect([name, await these(`in:${name}`)]).toEqual([name, those(({ field }) => field === name)]);
    expect(await these("(in:input OR in:output)")).toEqual(
      those(({ field }) => field === "input" || field === "output"),
    );
    expect(await these("(in:INPUT OR in:thinking)")).toEqual(
      those(({ field }) => field === "input" || field === "thinking"),
    );
    expect(await these("-in:input")).toEqual(those(({ field }) => field !== "input"));
    expect(await these("in:agent in:input")).toEqual(
      those(({ field, agentId }) => field === "input" && agentId !== null),
    );
    expect(await these("in:agent")).toEqual(those(({ agentId }) => agentId !== null));
  });

  it("finds the name of a plan as a title, at the first line that has it", async () => {
    const named = { slug: "sprightly-okapi" };
    const { all } = await openSearched(
      {
        [MAIN_LOG]: [prompt("a"), prompt("b", named), answer("c", named)],
        [AGENT_LOG]: [prompt("d", { isSidechain: true, agentId: "a1", ...named })],
      },
      indexed,
    );
    const [line = ""] = toText([prompt("a")]).split("\n");
    expect((await all("okapi in:title")).map(({ recordId, snippet }) => [recordId, snippet])).toEqual([
      [formatRecordId("m", line.length + 1), named.slug],
    ]);
  });

  it("finds what JSON escapes, raw or escaped, in any case and script", async () => {
    const escaped = (text: string) =>
      text.replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const said = [
      'say "hello" \\now',
      "line one\nline two",
      "a 🎉 party",
      "搜索引擎",
      "STRASSE Ärger ΟΔΟΣ",
    ].concat("Übersicht.md".normalize("NFD"));
    const lines = said.flatMap((text, at) => [
      JSON.stringify(answer(text, { uuid: `raw${at}` })),
      JSON.stringify(resultLine(text, {}, `raw${at}`)),
      escaped(JSON.stringify(resultLine(text, {}, `esc${at}`))),
      escaped(JSON.stringify(answer(text, { uuid: `esc${at}` }))),
    ]);
    const { all } = await openSearched({ [MAIN_LOG]: [prompt("go"), ...lines] }, indexed);
    const count = async (q: string) =>
      (await all(q)).filter(({ field }) => field === "text" || field === "output").length;
    for (const q of [
      '"\\"hello\\" \\\\now"',
      '"one\nline"',
      "🎉",
      "搜索",
      "索引擎",
      "ärger",
      "οδος",
      "strasse",
      // As macOS writes it in names of files, and one as it is typed.
      "ärger".normalize("NFD"),
    ])
      expect([q, await count(q)]).toEqual([q, 4]);
    expect(await count("übersicht")).toBe(4);
  });

  it("applies the query", async () => {
    const { told } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("fix the parser"),
          callLine("Bash", { command: "npm test parser" }, "toolu_1"),
          resultLine("parser failed", { is_error: true }, "toolu_1"),
          callLine("Read", { file_path: "/home/dev/shop/src/parser.ts" }, "toolu_2"),
          resultLine("the parser source", {}, "toolu_2"),
        ],
        [`projects/-b/${uuid(2)}.jsonl`]: [prompt("another parser", { cwd: "/home/dev/ledger" })],
      },
      indexed,
    );
    expect(await told("parser in:prompt project:shop")).toEqual(["prompt: fix the [parser]"]);
    expect(await told("parser -in:prompt -in:input -in:title")).toEqual([
      "output: [parser] failed",
      "output: the [parser] source",
    ]);
    expect(await told("parser is:error")).toEqual(["input: pm test [parser]", "output: [parser] failed"]);
    expect(await told("parser tool:Read in:output")).toEqual(["output: the [parser] source"]);
    expect(await told("tool:Bash")).toEqual(["input: []npm test"]);
    expect(await told("parser file:src/**")).toEqual(["input: hop/src/[parser].ts"]);
    expect((await told('"fix the" OR another')).sort()).toEqual([
      "prompt: [another] parser",
      "prompt: [fix the] parser",
    ]);
    expect(await told("/par[a-z]+ fail/")).toEqual(["output: [parser fail]ed"]);
    expect(await told("parser after:2026-01-03")).toEqual([]);
    expect(await told("")).toEqual([]);
  });

  it("finds a phrase that spans two fields of a call's input, which are a line each", async () => {
    const input = { file_path: "/a/numbat.ts", old_string: "quokka" };
    const { told } = await openSearched({ [MAIN_LOG]: [prompt("go"), callLine("Edit", input)] }, indexed);
    expect(await told('"numbat.ts\nquok"')).toEqual(["input: /a/[numbat.ts quok]ka"]);
    expect(await told('"numbat.ts\nkoala"')).toEqual([]);
  });

  it("recognizes an agent in the main log, as 1.0.128 writes it", async () => {
    const side = { isSidechain: true };
    const task = callLine("Task", {
      subagent_type: "Explore",
      description: "look",
      prompt: "find the okapi",
    });
    const { told, all } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("an okapi, please"),
          task,
          prompt("find the okapi", { ...side, uuid: "side1", parentUuid: null }),
          { ...answer("the okapi sleeps", { ...side, uuid: "side2" }), parentUuid: "side1" },
          resultLine("okapi found"),
          answer("there is your okapi", { uuid: "last" }),
        ],
      },
      indexed,
    );
    const bare = async (q: string) => (await told(q)).map((hit) => hit.replace(/^agent \S+/, "agent")).sort();
    expect(await bare("okapi in:agent")).toEqual([
      "agent prompt: ind the [okapi]",
      "agent text: the [okapi] sleeps",
    ]);
    expect(await bare("okapi agent:Explore")).toEqual(await bare("okapi in:agent"));
    expect(await bare("okapi agent:Plan")).toEqual([]);
    expect(await bare("okapi -in:agent in:text")).toEqual(["text: is your [okapi]"]);
    const [{ agentId } = { agentId: null }] = await all("okapi in:agent");
    expect(agentId).toMatch(/^side/);
  });

  it("finds words of an output that was saved to a file, at the result that names the file", async () => {
    const saved = "<persisted-output> Full output saved to: /x/tool-results/b123.txt";
    const { all } = await openSearched(
      {
        [MAIN_LOG]: [prompt("go"), resultLine(saved, {}, "t1")],
        [`projects/-a/${uuid(1)}/tool-results/b123.txt`]: ["a long ibex"],
      },
      indexed,
    );
    const [{ recordId } = { recordId: "" }] = await all("persisted");
    expect(await all("ibex")).toMatchObject([{ field: "output", recordId, snippet: "a long ibex " }]);
  });

  it("finds words once if an output was saved to a file and is in its line as well (2.1.29, 2.1.42)", async () => {
    const saved = "<persisted-output> Full output saved to: /x/tool-results/b123.txt";
    const { all } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("go"),
          { ...resultLine(saved, {}, "t1"), toolUseResult: { stdout: "a long ibex", stderr: "" } },
        ],
        [`projects/-a/${uuid(1)}/tool-results/b123.txt`]: ["a long ibex and a pelican"],
      },
      indexed,
    );
    const outputsOf = async (q: string) => (await all(q)).filter(({ field }) => field === "output").length;
    expect([await outputsOf("ibex"), await outputsOf("pelican")]).toEqual([1, 1]);
  });

  it("finds a prompt of several texts once, by words of any of them", async () => {
    const content = ["an okapi here", "and an okapi there"].map((text) => ({ type: "text", text }));
    const { all } = await openSearched(
      { [MAIN_LOG]: [prompt("x", { message: { role: "user", content } }), answer("done")] },
      indexed,
    );
    for (const q of ["okapi", "here there", "/there$/"]) {
      const hits = await all(`${q} in:prompt`);
      expect(
        hits.map(({ recordId, block, field }) => `${recordId} ${block} ${field}`),
        q,
      ).toEqual(["m~0 0 prompt"]);
    }
    const [hit] = await all("okapi in:prompt");
    expect(hit?.ranges).toHaveLength(2);
  });

  it("finds a call by a path that is not the first of its inputs", async () => {
    const input = { pattern: "ibex", path: "/home/dev/shop/src/cart.ts" };
    const { all } = await openSearched({ [MAIN_LOG]: [prompt("go"), callLine("Grep", input)] }, indexed);
    expect(await all("ibex in:input file:src/cart.ts")).toHaveLength(1);
    expect(await all("ibex in:input file:lib/cart.ts")).toHaveLength(0);
  });

  it("finds a path of Windows, named with either slash", async () => {
    const input = { file_path: "C:\\shop\\src\\cart.ts", old_string: "ibex", new_string: "b" };
    const { all } = await openSearched({ [MAIN_LOG]: [prompt("go"), callLine("Edit", input)] }, indexed);
    for (const path of ["src/cart.ts", "src\\cart.ts", "src\\*", "C:\\shop\\**"])
      expect(await all(`ibex in:input file:${path}`), path).toHaveLength(1);
    expect(await all("ibex in:input file:lib\\cart.ts")).toHaveLength(0);
  });
});

describe("ranking", () => {
  it("puts whole words before parts, prompts before inputs, the newest first", async () => {
    const { told } = await openSearched({
      [MAIN_LOG]: [
        prompt("concatenate"),
        callLine("Bash", { command: "cat old" }, "t1"),
        answer("the cat sat", { timestamp: "2026-01-01T00:00:00Z" }),
        answer("a cat ran", { timestamp: "2026-01-05T00:00:00Z" }),
        prompt("cat?", { uuid: "p2" }),
      ],
    });
    expect((await told("cat")).filter((hit) => !hit.startsWith("title"))).toEqual([
      "prompt: [cat]?",
      "text: a [cat] ran",
      "text: the [cat] sat",
      "input: [cat] old",
      "prompt: con[cat]enate",
    ]);
  });
});
