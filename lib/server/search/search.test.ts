import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { formatRecordId, type SessionId } from "@/lib/wire/ids";
import type { SearchEvent, SearchHit } from "@/lib/wire/search";
import { openSearch, type SearchQuery } from "./search";

const LONG = "filler ".repeat(2000);

function call(name: string, input: object, id = "toolu_1"): Record<string, unknown> {
  const message = { id: `msg-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] };
  return { type: "assistant", uuid: `c-${id}`, timestamp: "2026-01-02T03:04:07.000Z", message };
}

function result(content: string, more: object = {}, id = "toolu_1"): Record<string, unknown> {
  const block = { type: "tool_result", tool_use_id: id, content, ...more };
  return {
    type: "user",
    uuid: `r-${id}`,
    timestamp: "2026-01-02T03:04:08.000Z",
    message: { role: "user", content: [block] },
    toolUseResult: { stdout: content },
  };
}

function thinking(text: string): Record<string, unknown> {
  return {
    type: "assistant",
    uuid: "t1",
    message: { id: "mt", role: "assistant", content: [{ type: "thinking", thinking: text }] },
  };
}

function report(word: string): string {
  return `<task-notification>
<task-id>${word}-id</task-id>
<output-file>/tmp/${word}.output</output-file>
<status>completed</status>
<summary>Agent "Look" finished</summary>
<result>${word} okapi</result>
</task-notification>`;
}

function enqueued(content: string): Record<string, unknown> {
  return {
    type: "queue-operation",
    operation: "enqueue",
    timestamp: "2026-01-02T03:04:09.000Z",
    content,
  };
}

function operation(name: string, more: object = {}): Record<string, unknown> {
  return { ...enqueued(""), operation: name, content: undefined, ...more };
}

function queuedCommand(text: string, more: object = {}): Record<string, unknown> {
  return { type: "attachment", uuid: "q1", attachment: { type: "queued_command", prompt: text }, ...more };
}

/** A library searched as the server does, with or without an index. */
async function openLibrary(files: Parameters<typeof makeTree>[0], indexed = true) {
  const path = makeTree(files);
  const world = await searchedLibrary(path, indexed);
  const { catalog, scanner, search } = world;
  const all = async (q: string, more: Partial<SearchQuery> = {}) => {
    const hits: SearchHit[] = [];
    let cursor: string | null = null;
    do {
      const page = await search.page({ q, project: null, session: null, limit: 50, ...more, cursor });
      hits.push(...page.hits);
      cursor = page.nextCursor;
      expect(page.complete).toBe(cursor === null);
    } while (cursor !== null);
    return hits;
  };
  /** Hits as `field: …[find]…`, in order. The test lines' uuids repeat their words, so `meta` is asked for. */
  const told = async (q: string) =>
    (await all(q)).filter(({ field }) => field !== "meta" || q.includes("meta")).map(tell);
  return { path, catalog, scanner, search, world, all, told };
}

function tell({ field, agentId, snippet, ranges }: SearchHit): string {
  const [from, to] = ranges[0] ?? [0, 0];
  const shown = `${snippet.slice(Math.max(0, from - 8), from)}[${snippet.slice(from, to)}]${snippet.slice(to, to + 8)}`;
  return `${agentId ? `agent ${agentId} ` : ""}${field}: ${shown}`;
}

const MAIN = `projects/-a/${uuid(1)}.jsonl`;
const AGENT = `projects/-a/${uuid(1)}/subagents/agent-a1.jsonl`;

describe.each([
  ["with an index", true],
  ["without one", false],
])("search %s", (_name, indexed) => {
  it("finds a word in every place, once", async () => {
    const { told } = await openLibrary(
      {
        [MAIN]: [
          prompt(`${LONG} zebraprompt in the end`),
          thinking(`${LONG} zebrathinking`),
          answer(`${LONG} zebratext`),
          call("Bash", { command: `${LONG} zebrainput`, nested: { deep: ["zebranested"] } }),
          result(`${LONG} zebraoutput`),
          { type: "file-history-snapshot", snapshot: { note: "zebrameta" } },
          '{"type":"user","broken zebraraw',
        ],
        [AGENT]: [
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
    const call1 = call("Bash", { command: "feed the okapi" });
    const { all } = await openLibrary(
      {
        [MAIN]: [
          prompt("okapi prompt"),
          thinking("okapi thought"),
          answer("okapi text"),
          call1,
          result("okapi output"),
          { type: "custom-title", customTitle: "okapi title" },
          '{"type":"user","broken okapi',
        ],
        [AGENT]: [prompt("okapi", { isSidechain: true, agentId: "a1" }), { ...call1, uuid: "c2" }],
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
    const { all } = await openLibrary(
      {
        [MAIN]: [prompt("a"), prompt("b", named), answer("c", named)],
        [AGENT]: [prompt("d", { isSidechain: true, agentId: "a1", ...named })],
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
      JSON.stringify(result(text, {}, `raw${at}`)),
      escaped(JSON.stringify(result(text, {}, `esc${at}`))),
      escaped(JSON.stringify(answer(text, { uuid: `esc${at}` }))),
    ]);
    const { all } = await openLibrary({ [MAIN]: [prompt("go"), ...lines] }, indexed);
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
    const { told } = await openLibrary(
      {
        [MAIN]: [
          prompt("fix the parser"),
          call("Bash", { command: "npm test parser" }, "toolu_1"),
          result("parser failed", { is_error: true }, "toolu_1"),
          call("Read", { file_path: "/home/dev/shop/src/parser.ts" }, "toolu_2"),
          result("the parser source", {}, "toolu_2"),
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
    const { told } = await openLibrary({ [MAIN]: [prompt("go"), call("Edit", input)] }, indexed);
    expect(await told('"numbat.ts\nquok"')).toEqual(["input: /a/[numbat.ts quok]ka"]);
    expect(await told('"numbat.ts\nkoala"')).toEqual([]);
  });

  it("tells what work in the background reported from what a person asked, as its row does", async () => {
    const { told, all } = await openLibrary(
      {
        [MAIN]: [
          prompt("look for the okapi"),
          enqueued(report("first")),
          prompt(report("first"), { uuid: "n1" }),
          enqueued(report("second")),
          queuedCommand(report("third")),
        ],
      },
      indexed,
    );
    expect((await told("okapi")).sort()).toEqual([
      "prompt: for the [okapi]",
      "returned:  second [okapi] complet",
      "returned: d first [okapi] complet",
      "returned: d third [okapi] complet",
    ]);
    expect((await all("okapi in:returned")).map(({ snippet }) => snippet).toSorted()[0]).toBe(
      'Agent "Look" finished first okapi completed',
    );
    // Its ids and paths are of the line, and no part of what was reported; tags are found nowhere.
    expect(await told("first.output in:returned")).toEqual([]);
    expect(await told("first.output OR xmeta")).toEqual(["meta: id /tmp/[first.output]"]);
    expect((await all("task-notification")).filter(({ field }) => field === "returned")).toEqual([]);
    expect((await told("completed")).length).toBe(3);
  });

  it("finds a notification once, however often the log contains it, at its row", async () => {
    const removed = { ...enqueued(report("once")), operation: "remove" };
    const { all } = await openLibrary(
      {
        [MAIN]: [
          prompt("go"),
          enqueued(report("once")),
          // 2.1.42 queues one twice.
          enqueued(report("once")),
          removed,
          queuedCommand(report("once"), {
            rendered: [{ content: `<system-reminder>Not typed\n${report("once")}</system-reminder>` }],
          }),
          enqueued(report("waiting")),
          enqueued(report("waiting")),
        ],
      },
      indexed,
    );
    const kinds = (hits: SearchHit[]) => hits.map(({ recordId, field }) => `${recordId} ${field}`);
    const once = kinds(await all("once okapi"));
    expect(once).toHaveLength(1);
    expect(once[0]).toMatch(/ returned$/);
    // The fifth line.
    expect(kinds(await all("Not typed"))[0]).toBe(once[0]?.replace("returned", "meta"));
    expect(await all("waiting okapi")).toHaveLength(1);
    expect(await all("/waiting.okapi|once.okapi/")).toHaveLength(2);
  });

  it("follows a notification from the queue to its line while a log grows", async () => {
    const { path, catalog, scanner, all } = await openLibrary(
      { [MAIN]: [prompt("go"), enqueued(report("grown"))] },
      indexed,
    );
    const [queued] = await all("grown okapi");
    appendFileSync(join(path, MAIN), `${JSON.stringify(prompt(report("grown"), { uuid: "n1" }))}\n`);
    await catalog.list();
    const delivered = await all("grown okapi");
    expect(delivered).toHaveLength(1);
    expect(delivered[0]?.recordId).not.toBe(queued?.recordId);
    await scanner.run();
    expect((await all("grown okapi")).map(({ recordId }) => recordId)).toEqual([delivered[0]?.recordId]);
  });

  it("finds a prompt once that is in the queue and in a line of its own, at its row", async () => {
    const { all, told } = await openLibrary(
      {
        [MAIN]: [
          // 2.0.42 and later, where the prompt is given at the start.
          enqueued("count the okapis"),
          operation("dequeue"),
          prompt("count the okapis", { uuid: "p1", timestamp: "2026-01-02T03:04:09.020Z" }),
          answer("twelve okapis", { uuid: "a1" }),
          // 2.1.110 and later: a prompt typed while the model worked.
          enqueued("feed the okapis"),
          operation("remove", { content: "feed the okapis" }),
          queuedCommand("feed the okapis", { uuid: "p2", timestamp: "2026-01-02T03:04:10.000Z" }),
          // Nothing tells that it was delivered.
          enqueued("wash the okapis"),
          prompt("wash the okapis", { uuid: "p3", timestamp: "2026-01-02T03:04:11.000Z" }),
          // A command.
          enqueued("/compact keep the okapis"),
          operation("dequeue"),
          prompt(
            "<command-message>compact</command-message>\n<command-name>/compact</command-name>\n<command-args>keep the okapis</command-args>",
            { uuid: "p4", timestamp: "2026-01-02T03:04:12.000Z" },
          ),
        ],
      },
      indexed,
    );
    for (const words of ["count the", "feed the", "wash the", "keep the"]) {
      const hits = (await all(`${words} in:prompt`)).map(({ recordId }) => recordId);
      expect(hits, words).toHaveLength(1);
    }
    expect(await all("okapis in:prompt")).toHaveLength(4);
    expect(await all("/(count|feed|wash|keep) the/ in:prompt")).toHaveLength(4);
    const lines = Object.values(["count", "feed", "wash"]).map(async (word) => {
      const [hit] = await all(`${word} in:prompt`);
      return hit?.atMs && new Date(hit.atMs).toISOString().slice(17, 23);
    });
    expect(await Promise.all(lines)).toEqual(["09.020", "10.000", "11.000"]);
    // What else the queue's line says is still found.
    expect((await told("queue-operation OR xmeta")).length).toBeGreaterThan(0);
  });

  it("keeps a prompt that is only in the queue, even if the same is typed again", async () => {
    const { all } = await openLibrary(
      {
        [MAIN]: [
          prompt("go"),
          answer("working", { uuid: "a1", timestamp: "2026-01-02T03:04:08.000Z" }),
          // 2.0.42–2.1.42: delivered, and no line of its own.
          enqueued("feed the okapi"),
          operation("remove"),
          ...["b1", "b2"].map((id) => ({
            ...answer("fed", { uuid: id, timestamp: "2026-01-02T03:05:00.000Z" }),
            message: { id, role: "assistant", content: [{ type: "text", text: "fed" }] },
          })),
          prompt("feed the okapi", { uuid: "p2", timestamp: "2026-01-02T04:00:00.000Z" }),
          // Taken back into the input box.
          enqueued("sell the okapi"),
          operation("popAll", { content: "sell the okapi" }),
        ],
      },
      indexed,
    );
    expect(await all("feed okapi in:prompt")).toHaveLength(2);
    expect(await all("sell okapi in:prompt")).toHaveLength(1);
  });

  it("follows a prompt from the queue to its line while a log grows", async () => {
    const { path, catalog, scanner, all } = await openLibrary(
      {
        [MAIN]: [
          prompt("go"),
          enqueued("feed the okapi"),
          prompt("feed the okapi", { uuid: "p2", timestamp: "2026-01-02T03:04:09.020Z" }),
          enqueued("feed the okapi"),
        ],
      },
      indexed,
    );
    const ids = async () => (await all("feed okapi in:prompt")).map(({ recordId }) => recordId).toSorted();
    const queued = await ids();
    expect(queued).toHaveLength(2);
    const line = { ...queuedCommand("feed the okapi"), timestamp: "2026-01-02T03:04:10.000Z" };
    appendFileSync(
      join(path, MAIN),
      [operation("remove", { content: "feed the okapi" }), line, enqueued("sell the okapi")]
        .map((json) => `${JSON.stringify(json)}\n`)
        .join(""),
    );
    await catalog.list();
    const delivered = await ids();
    expect(delivered).toHaveLength(2);
    expect(delivered).not.toEqual(queued);
    expect(await all("sell okapi in:prompt")).toHaveLength(1);
    await scanner.run();
    expect(await ids()).toEqual(delivered);
    appendFileSync(join(path, MAIN), `${JSON.stringify(operation("dequeue"))}\n`);
    await catalog.list();
    await scanner.run();
    const sold = await all("sell okapi in:prompt");
    expect(sold).toHaveLength(1);
    const own = prompt("sell the okapi", { uuid: "p5", timestamp: "2026-01-02T03:04:09.040Z" });
    appendFileSync(join(path, MAIN), `${JSON.stringify(own)}\n`);
    await catalog.list();
    const last = await all("sell okapi in:prompt");
    expect(last).toHaveLength(1);
    expect(last[0]?.recordId).not.toBe(sold[0]?.recordId);
    await scanner.run();
    expect((await all("sell okapi in:prompt")).map(({ recordId }) => recordId)).toEqual([last[0]?.recordId]);
  });

  it("recognizes an agent in the main log, as 1.0.128 writes it", async () => {
    const side = { isSidechain: true };
    const task = call("Task", { subagent_type: "Explore", description: "look", prompt: "find the okapi" });
    const { told, all } = await openLibrary(
      {
        [MAIN]: [
          prompt("an okapi, please"),
          task,
          prompt("find the okapi", { ...side, uuid: "side1", parentUuid: null }),
          { ...answer("the okapi sleeps", { ...side, uuid: "side2" }), parentUuid: "side1" },
          result("okapi found"),
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

  it("returns hits in pages, each once", async () => {
    const { all, search } = await openLibrary(
      {
        [MAIN]: [
          prompt("go"),
          ...Array.from({ length: 130 }, (_, at) => result(`walrus ${at}`, {}, `t${at}`)),
        ],
      },
      indexed,
    );
    const hits = await all("walrus");
    expect(new Set(hits.map(({ recordId }) => recordId)).size).toBe(130);
    expect(hits).toHaveLength(130);
    const events: SearchEvent[] = [];
    for await (const event of search.events(
      { q: "walrus", project: null, session: null, cursor: null },
      new AbortController().signal,
    ))
      events.push(event);
    expect(events.flatMap((event) => (event.kind === "hits" ? event.hits : []))).toEqual(hits);
    expect(events.at(-1)).toMatchObject({ kind: "end", complete: true });
    expect(await all("walrus", { session: "other" as SessionId })).toEqual([]);
  });

  it("refuses a cursor that no answer gave out before a stream begins, and one of a time or a count that is none", async () => {
    const { search } = await openLibrary({ [MAIN]: [prompt("walrus")] }, indexed);
    const forged = (nowMs: number, delivered = 0) =>
      Buffer.from(JSON.stringify(["run", [delivered], nowMs])).toString("base64url");
    const uncounted = [forged(Date.now(), -1), forged(Date.now(), 0.5)];
    const request = { q: "walrus after:yesterday", project: null, session: null };
    for (const cursor of ["x", forged(8.65e15), forged(-9e15), forged(1e300), forged(0.5), ...uncounted]) {
      const refused = expect.objectContaining({ code: "bad-cursor", status: 400 });
      expect(() => search.events({ ...request, cursor }, new AbortController().signal)).toThrow(refused);
      await expect(search.page({ ...request, limit: 9, cursor })).rejects.toThrow(refused);
    }
    expect(await search.page({ ...request, limit: 9, cursor: forged(Date.now()) })).toMatchObject({
      complete: true,
    });
  });

  it("continues where a stream ended or its state was lost, each hit once", async () => {
    const sessions = Array.from({ length: 7 }, (_, session) => [
      `projects/-a/${uuid(session + 1)}.jsonl`,
      [
        prompt("walrus"),
        ...Array.from({ length: 1000 }, (_, at) => result(`walrus ${at}`, {}, `t${session}-${at}`)),
      ],
    ]);
    const { world, search } = await openLibrary(Object.fromEntries(sessions), indexed);
    const keysOf = (hits: SearchHit[]) =>
      hits.map((hit) => `${hit.sessionId} ${hit.recordId} ${hit.block} ${hit.field}`);
    const streamed: string[] = [];
    const ends: boolean[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const request = { q: "walrus", project: null, session: null, cursor: cursor ?? null };
      cursor = null;
      for await (const event of search.events(request, new AbortController().signal)) {
        if (event.kind === "hits") streamed.push(...keysOf(event.hits));
        if (event.kind !== "end") continue;
        cursor = event.nextCursor;
        ends.push(event.complete);
      }
    }
    expect(ends).toEqual([false, true]);
    // Of a session 1,000 outputs, its prompt and that one's uuid.
    expect(new Set(streamed).size).toBe(7014);
    expect(streamed).toHaveLength(7014);

    // Every page from a server that has just been started.
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const fresh = openSearch(world);
      const page = await fresh.page({
        q: "walrus",
        project: null,
        session: null,
        limit: 1_500,
        cursor: cursor ?? null,
      });
      fresh.stop();
      paged.push(...keysOf(page.hits));
      cursor = page.nextCursor;
    }
    expect(paged.toSorted()).toEqual(streamed.toSorted());
  });

  it("misses nothing when sessions are indexed meanwhile", async () => {
    const sessions = Array.from({ length: 9 }, (_, session) => [
      `projects/-a/${uuid(session + 1)}.jsonl`,
      [
        prompt(`go ${session}`),
        answer("a walrus"),
        { type: "custom-title", customTitle: `walrus ${session}` },
      ],
    ]);
    const { path, catalog, scanner, search } = await openLibrary(Object.fromEntries(sessions), indexed);
    const added = Array.from({ length: 9 }, (_, session) =>
      join(path, `projects/-b/${uuid(session + 20)}.jsonl`),
    );
    mkdirSync(join(path, "projects/-b"));
    for (const log of added) writeFileSync(log, toText([prompt("stay"), answer("another walrus")]));
    await catalog.list();
    const request = { q: "walrus", project: null, session: null };
    // The titles come first, alone; then everything is indexed before the rest is asked for.
    const first = await search.page({ ...request, limit: 9, cursor: null });
    expect(first.hits.map(({ field }) => field)).toEqual(Array(9).fill("title"));
    await scanner.run();
    const fields: string[] = [];
    for (let cursor = first.nextCursor; cursor !== null; ) {
      const page = await search.page({ ...request, limit: 50, cursor });
      fields.push(...page.hits.map(({ field }) => field).filter((field) => field === "text"));
      cursor = page.nextCursor;
    }
    expect(fields).toHaveLength(18);
  });

  it("finds words of an output that was saved to a file, at the result that names the file", async () => {
    const saved = "<persisted-output> Full output saved to: /x/tool-results/b123.txt";
    const { all } = await openLibrary(
      {
        [MAIN]: [prompt("go"), result(saved, {}, "t1")],
        [`projects/-a/${uuid(1)}/tool-results/b123.txt`]: ["a long ibex"],
      },
      indexed,
    );
    const [{ recordId } = { recordId: "" }] = await all("persisted");
    expect(await all("ibex")).toMatchObject([{ field: "output", recordId, snippet: "a long ibex " }]);
  });

  it("finds words once if an output was saved to a file and is in its line as well (2.1.29, 2.1.42)", async () => {
    const saved = "<persisted-output> Full output saved to: /x/tool-results/b123.txt";
    const { all } = await openLibrary(
      {
        [MAIN]: [
          prompt("go"),
          { ...result(saved, {}, "t1"), toolUseResult: { stdout: "a long ibex", stderr: "" } },
        ],
        [`projects/-a/${uuid(1)}/tool-results/b123.txt`]: ["a long ibex and a pelican"],
      },
      indexed,
    );
    const outputsOf = async (q: string) => (await all(q)).filter(({ field }) => field === "output").length;
    expect([await outputsOf("ibex"), await outputsOf("pelican")]).toEqual([1, 1]);
  });

  it("finds lines that were written since the log was indexed", async () => {
    const { path, told, catalog } = await openLibrary({ [MAIN]: [prompt("go")] }, indexed);
    const written = [answer("a late pelican"), call("Bash", { command: "feed the ibex" })];
    appendFileSync(join(path, MAIN), toText(written));
    await catalog.list();
    expect(await told("pelican")).toEqual(["text: a late [pelican]"]);
    expect(await told("ibex in:input")).toEqual(["input: eed the [ibex]"]);
  });

  it("finds with filters lines that were written since the session was scanned", async () => {
    const { path, told, catalog, scanner } = await openLibrary({ [MAIN]: [prompt("go")] }, indexed);
    const later = { timestamp: "2026-02-03T04:05:06.000Z" };
    const written = [
      call("Bash", { command: "feed the ibex" }),
      result("no ibex", { is_error: true }),
      call("Task", { description: "look", prompt: "look", subagent_type: "Explore" }, "toolu_2"),
      result("done", {}, "toolu_2"),
      prompt("look", { uuid: "s0", isSidechain: true }),
      answer("an agent's ibex", { isSidechain: true, parentUuid: "s0", ...later }),
    ];
    appendFileSync(join(path, MAIN), toText(written));
    await catalog.list();
    const found = async () => ({
      tool: await told("ibex tool:Bash in:input"),
      error: await told("ibex is:error in:output"),
      agent: (await told("ibex agent:Explore")).map((hit) => hit.replace(/^agent \S+ /, "")),
      after: (await told("ibex after:2026-02-01")).map((hit) => hit.replace(/^agent \S+ /, "")),
    });
    const all = {
      tool: ["input: eed the [ibex]"],
      error: ["output: no [ibex]"],
      agent: ["text: agent's [ibex]"],
      after: ["text: agent's [ibex]"],
    };
    expect(await found()).toEqual(all);
    await scanner.run();
    expect(await found()).toEqual(all);
  });

  it("finds by time what an agent wrote after its session's last line, and what is older than its first", async () => {
    const inAgent = { isSidechain: true, agentId: "a1", sessionId: uuid(1) };
    // Longer than what a listing reads of a log's beginning and end.
    const filler = Array.from({ length: 40 }, (_, at) =>
      answer(`${LONG}${at}`, { timestamp: "2026-01-02T03:04:06.000Z" }),
    );
    const { told } = await openLibrary(
      {
        [MAIN]: [
          prompt("go"),
          ...filler,
          answer("an early ibex", { timestamp: "2025-12-24T00:00:00.000Z" }),
          ...filler,
          call("Agent", { prompt: "look", description: "look" }),
          result("Async agent launched successfully."),
        ],
        [AGENT]: [
          prompt("look", inAgent),
          answer("a late ibex", { ...inAgent, timestamp: "2026-01-05T00:00:00.000Z" }),
        ],
      },
      indexed,
    );
    expect(await told("ibex after:2026-01-04")).toEqual(["agent a1 text: a late [ibex]"]);
    expect(await told("ibex -before:2026-01-04")).toEqual(["agent a1 text: a late [ibex]"]);
    expect(await told("ibex before:2026-01-01")).toEqual(["text: n early [ibex]"]);
    expect(await told("ibex after:2026-01-06")).toEqual([]);
    expect(await told("ibex before:2025-12-01")).toEqual([]);
  });

  it("finds a prompt of several texts once, by words of any of them", async () => {
    const content = ["an okapi here", "and an okapi there"].map((text) => ({ type: "text", text }));
    const { all } = await openLibrary(
      { [MAIN]: [prompt("x", { message: { role: "user", content } }), answer("done")] },
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

  it("finds what a line in the queue says of itself, whether its text was delivered or not", async () => {
    const { told } = await openLibrary(
      {
        [MAIN]: [
          prompt("go"),
          { ...enqueued("/greet Ada"), note: "a quagga note" },
          prompt("<command-name>/greet</command-name><command-args>Ada</command-args>", { uuid: "p2" }),
          { ...enqueued(report("bongo")), note: "a tapir note" },
          { ...prompt(report("bongo")), uuid: "p3" },
          { ...enqueued(report("kudu")), note: "a dikdik note" },
        ],
      },
      indexed,
    );
    expect(await told("quagga OR meta")).toEqual(["meta: a [quagga] note"]);
    expect(await told("tapir OR meta")).toEqual(["meta: a [tapir] note"]);
    expect(await told("dikdik OR meta")).toEqual(["meta: a [dikdik] note"]);
    expect(await told("bongo")).toHaveLength(1);
    expect(await told("enqueue OR meta")).toHaveLength(1);
  });

  it.each([1, 2, 3, 7])("gives pages of at most %i hits, and loses none between two", async (limit) => {
    const outputs = (session: number) =>
      Array.from({ length: 5 }, (_, at) => result(`ibex ${session}.${at}`, {}, `toolu_${session}_${at}`));
    const { search } = await openLibrary(
      {
        [MAIN]: [prompt("an ibex, go", { uuid: "p1" }), ...outputs(1)],
        [`projects/-a/${uuid(2)}.jsonl`]: [prompt("go on"), ...outputs(2)],
      },
      indexed,
    );
    const placeOf = ({ sessionId, recordId, snippet }: SearchHit) => `${sessionId} ${recordId} ${snippet}`;
    const pagesFrom = async (from: string | null) => {
      const pages: { cursor: string | null; places: string[]; complete: boolean }[] = [];
      let cursor = from;
      do {
        const of = { q: "ibex", project: null, session: null, limit, cursor };
        const { hits, complete, nextCursor } = await search.page(of);
        pages.push({ cursor, places: hits.map(placeOf), complete });
        cursor = nextCursor;
      } while (cursor !== null && pages.length < 30);
      return pages;
    };
    const pages = await pagesFrom(null);
    for (const { places } of pages) expect(places.length).toBeLessThanOrEqual(limit);
    expect(pages.filter(({ complete }) => complete)).toEqual(pages.slice(-1));
    const all = pages.flatMap(({ places }) => places);
    expect([all.length, new Set(all).size]).toEqual([11, 11]);
    // Whoever goes back to an earlier page goes on from there.
    for (const [at, { cursor }] of pages.entries()) {
      const rest = (await pagesFrom(cursor)).flatMap(({ places }) => places);
      expect(rest.toSorted()).toEqual(
        pages
          .slice(at)
          .flatMap(({ places }) => places)
          .toSorted(),
      );
    }
  });

  it("finds a call by a path that is not the first of its inputs", async () => {
    const input = { pattern: "ibex", path: "/home/dev/shop/src/cart.ts" };
    const { all } = await openLibrary({ [MAIN]: [prompt("go"), call("Grep", input)] }, indexed);
    expect(await all("ibex in:input file:src/cart.ts")).toHaveLength(1);
    expect(await all("ibex in:input file:lib/cart.ts")).toHaveLength(0);
  });

  it("finds a path of Windows, named with either slash", async () => {
    const input = { file_path: "C:\\shop\\src\\cart.ts", old_string: "ibex", new_string: "b" };
    const { all } = await openLibrary({ [MAIN]: [prompt("go"), call("Edit", input)] }, indexed);
    for (const path of ["src/cart.ts", "src\\cart.ts", "src\\*", "C:\\shop\\**"])
      expect(await all(`ibex in:input file:${path}`), path).toHaveLength(1);
    expect(await all("ibex in:input file:lib\\cart.ts")).toHaveLength(0);
  });
});

describe("ranking", () => {
  it("puts whole words before parts, prompts before inputs, the newest first", async () => {
    const { told } = await openLibrary({
      [MAIN]: [
        prompt("concatenate"),
        call("Bash", { command: "cat old" }, "t1"),
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
