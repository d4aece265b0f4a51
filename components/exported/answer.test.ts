// @vitest-environment page
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { choose, type WantedPart, WHOLE } from "@/lib/server/export/chosen-part";
import { exportSession } from "@/lib/server/export/export-session";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import { LogWriter } from "@/lib/testing/log-writer";
import { idOf, openFolder } from "@/lib/testing/transcript";
import type { RowsResponse } from "@/lib/wire/rows";
import type { SearchEvent } from "@/lib/wire/search";
import type { AgentsResponse, OutlineResponse } from "@/lib/wire/session";
import { answerFrom } from "./answer";
import { ExportedFile } from "./exported-file";

/** A log that is begun, in a folder of its own, and what reads it as an exported file. */
function newLog() {
  const root = makeTree({});
  const project = join(root, "projects/-home-dev-bench");
  mkdirSync(project, { recursive: true });
  const log = new LogWriter(join(project, `${uuid(1)}.jsonl`));
  return { log, project, exported: (wanted: Partial<WantedPart> = {}) => exported(root, wanted) };
}

/** The session of a log as it is read in an exported file: what the page asks for, and what it finds. */
async function exported(root: string, wanted: Partial<WantedPart>) {
  const folder = await openFolder(root);
  const id = idOf(folder, uuid(1));
  const choice = await choose(folder.sessions, id, { ...WHOLE, ...wanted });
  const { pieces } = await exportSession(folder.sessions, folder.catalog.sessionFiles(id), {
    format: "html",
    choice,
  });
  const bytes: Uint8Array[] = [];
  for await (const piece of pieces) bytes.push(Buffer.from(piece));
  const page = new DOMParser().parseFromString(Buffer.concat(bytes).toString(), "text/html");
  const file = new ExportedFile(page);
  const answer = answerFrom(file);
  const ask = async <Answer>(what: string): Promise<Answer> =>
    (await answer(`/api/sessions/${id}/${what}`, {})).json();
  const find = async (query: string) => {
    const stream = await (await answer(`/api/search?q=${encodeURIComponent(query)}`, {})).text();
    const events = stream
      .split("\n\n")
      .filter(Boolean)
      .map((event): SearchEvent => JSON.parse(event.slice("data: ".length)));
    return {
      found: events.flatMap((event) => (event.kind === "hits" ? event.hits : [])),
      problems: events.flatMap((event) => (event.kind === "start" ? event.problems : [])),
    };
  };
  const rows = async () => (await ask<RowsResponse>("rows?count=1000")).rows;
  return { file, ask, find, rows };
}

test("the rest of a summary is found, which is on a line of its own", async () => {
  const { log, exported } = newLog();
  log.prompt("Go on");
  log.say("I do");
  log.compact(`${"So far so good. ".repeat(2_000)}The marmot sleeps.`);
  const { rows, find } = await exported();
  const compaction = (await rows()).find(({ kind }) => kind === "compaction");
  expect(compaction).toMatchObject({ summary: { cut: true } });
  expect((await find("marmot")).found).toMatchObject([{ recordId: compaction?.recordId }]);
});

test("an output in a file of its own is found", async () => {
  const { log, project, exported } = newLog();
  log.prompt("List them");
  const path = join(project, uuid(1), "tool-results/b1.txt");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${"line\n".repeat(9_000)}marmot.txt\n`);
  const said = `<persisted-output>\nOutput too large (44KB). Full output saved to: ${path}\n\nPreview (first 2KB):\nline\n</persisted-output>`;
  log.result(log.call("Bash", { command: "ls" }), said, {
    toolUseResult: { stdout: "line", stderr: "", persistedOutputPath: path, persistedOutputSize: 45_011 },
  });
  const { find } = await exported();
  expect((await find("marmot")).found).toMatchObject([{ field: "output" }]);
  expect((await find("groundhog")).found).toEqual([]);
});

test("the lines around a change are found, as they are shown", async () => {
  const { log, exported } = newLog();
  log.prompt("Rename it");
  const [file_path, old_string, new_string] = ["/home/dev/bench/a.ts", "const a = 1;", "const b = 1;"];
  const lines = [" // of the marmot", `-${old_string}`, `+${new_string}`];
  const structuredPatch = [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines }];
  log.result(log.call("Edit", { file_path, old_string, new_string }), "The file has been updated.", {
    toolUseResult: { filePath: file_path, oldString: old_string, newString: new_string, structuredPatch },
  });
  const { find } = await exported();
  expect((await find("// of the marmot")).found).toMatchObject([{ field: "output" }]);
});

test("a filter or an expression is searched as it is written, and the reader is told so", async () => {
  const { log, exported } = newLog();
  log.prompt("Use tool:Bash and /ls/ here");
  const { find } = await exported();
  const said = { message: "An exported file looks for this as it is written" };
  expect(await find("use tool:Bash")).toMatchObject({
    found: [{ field: "prompt" }],
    problems: [{ ...said, from: 4, to: 13 }],
  });
  expect(await find("-is:error /ls/")).toMatchObject({
    found: [{ field: "prompt" }],
    problems: [said, { ...said, from: 10, to: 14 }],
  });
  expect(await find("tool:Read")).toMatchObject({ found: [], problems: [said] });
});

test("the turns of a part keep their numbers: the next one can be reached, and the header of the current one is shown", async () => {
  const { log, exported } = newLog();
  for (const name of ["one", "two", "three", "four"]) {
    log.prompt(name);
    log.say(`Answer to ${name}`);
  }
  const { ask, file } = await exported({ turns: { from: 2, to: 3 } });
  expect(file.session.turns).toBe(4);
  const turnAt = async (turn: number) => {
    const { turns } = await ask<OutlineResponse>(`outline?from=${turn - 1}&count=1`);
    return turns.map(({ turn, row }) => [turn, row]);
  };
  expect(await turnAt(1)).toEqual([[2, 0]]);
  expect(await turnAt(2)).toEqual([[2, 0]]);
  expect(await turnAt(3)).toEqual([[3, 2]]);
  expect(await turnAt(4)).toEqual([]);
});

/** The tooltips of the lanes beside rows: the agent of each, and the call to which a click leads. */
async function lanesIn({ ask, rows }: Awaited<ReturnType<typeof exported>>): Promise<string[][]> {
  const { agents } = await ask<AgentsResponse>("agents");
  const all = await rows();
  return all.map(({ lanes = [] }) =>
    lanes.map(([, , , from, agent]) => {
      const call = all[from];
      return `${agents[agent]?.description} by ${call?.kind === "tool" ? call.subject : call?.kind}`;
    }),
  );
}

test("lanes lead to the calls of their agents, whatever rows and agents are not in the file", async () => {
  const { log, exported } = newLog();
  log.prompt("one");
  const fork = log.lastLine;
  log.startAgent("a1", "Left job").say("done");
  log.say("left");
  log.goBackTo(fork);
  log.startAgent("a2", "First job").say("done");
  log.say("answer one");
  log.prompt("two");
  log.startAgent("a3", "Second job").say("done");
  log.say("answer two");
  const [first, second] = ["First job by First job", "Second job by Second job"];
  expect(await lanesIn(await exported())).toEqual([
    [],
    [first],
    [first],
    [first],
    [first, second],
    [first, second],
  ]);
  expect(await lanesIn(await exported({ turns: { from: 2, to: 2 } }))).toEqual([[], [second], [second]]);
  expect(await lanesIn(await exported({ tools: false }))).toEqual([[], [], [], []]);
});

test("every agent of a session whose log is gone can be reached, and their texts are found once", async () => {
  const { log, project, exported } = newLog();
  log.prompt("Go on");
  log.startAgent("a1", "First job").say("A marmot");
  log.startAgent("a2", "Second job").say("No animal");
  rmSync(join(project, `${uuid(1)}.jsonl`));
  const { file, find, rows } = await exported();
  const told = (await rows()).flatMap((row) => (row.kind === "text" ? [row.text.text] : []));
  expect(told).toEqual(["A marmot"]);
  expect(file.session.logGone).toBe(true);
  expect(file.looseAgents().map(({ description }) => description)).toEqual(["Second job"]);
  expect((await find("marmot")).found).toMatchObject([{ agentId: "a1" }]);
  expect((await find("animal")).found).toMatchObject([{ agentId: "a2" }]);
});

test("the file says until when its session was written: the time of calls that were running then does not continue", async () => {
  const { log, exported } = newLog();
  log.prompt("Wait");
  log.call("Bash", { command: "sleep 900" });
  const { file, rows } = await exported();
  const call = (await rows()).find(({ kind }) => kind === "tool");
  expect(file.session.lastActiveAtMs).toBe(call?.atMs);
});
