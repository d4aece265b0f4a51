import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { exportedParts } from "@/lib/testing/library/exports";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { LogWriter } from "@/lib/testing/log-writer";
import type { RecordedVersion } from "@/lib/testing/recorded";
import { fixtureFolder } from "@/lib/testing/recorded";
import { openRecording, sessionsOf } from "@/lib/testing/recordings";
import { idOf, type OpenFolder, openFolder } from "@/lib/testing/transcript";
import type { ExportFormat } from "@/lib/wire/export-formats.mjs";
import { LANE_COLUMNS, type Row, type RowLane } from "@/lib/wire/rows";
import { exportSession } from "./export-session";
import { PlacedLanes } from "./exported-threads";

async function exported(folder: OpenFolder, session: string, format: ExportFormat): Promise<string> {
  const files = folder.catalog.sessionFiles(idOf(folder, session));
  let text = "";
  const { pieces } = await exportSession(folder.sessions, files, { format });
  for await (const piece of pieces)
    text += typeof piece === "string" ? piece : new TextDecoder().decode(piece);
  return format === "html" ? exportedParts(text).shown : text;
}

async function scenario(name: string, format: ExportFormat, version: RecordedVersion = "2.1.330") {
  const { folder, scenarios } = await openRecording(version);
  const [session = ""] = sessionsOf(folder, scenarios[name] ?? { must: "" });
  return exported(folder, session, format);
}

/** The lines of calls and agents of an exported page, those inside of another indented. */
function outline(page: string): string[] {
  const lines: string[] = [];
  let depth = 0;
  for (const [tag, kind, summary] of page.matchAll(
    /<details(?: class="(\w+)")?[^>]*><summary>(.*?)<\/summary>|<\/details>/gs,
  )) {
    if (tag === "</details>") depth--;
    else {
      const words = (summary ?? "").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
      if (kind)
        lines.push("  ".repeat(depth) + words.replace(/ ?\d\d:\d\d| [\d.]+ m?s\b|\/\S*\//g, "").trim());
      depth++;
    }
  }
  expect(depth).toBe(0);
  return lines;
}

/** An empty session in a folder of its own, which is opened once its log has been written. */
function newSession() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-agents-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, "projects/-home-dev-bench");
  mkdirSync(project, { recursive: true });
  const log = new LogWriter(join(project, `${uuid(1)}.jsonl`));
  return { log, project, open: () => openFolder(root) };
}

test("html: an agent's thread is below its call, and its own agent's thread below that", async () => {
  const page = await scenario("task-nested", "html");
  expect(outline(page)).toEqual([
    "Agent Outer agent general-purpose 1 tool,",
    "  Outer agent general-purpose done 1 tool 15k tokens $0.007",
    "    Agent Inner agent general-purpose 0 tools,",
    "      Inner agent general-purpose done 0 tools 8.4k tokens $0.003",
  ]);
  // The prompt is said once, in the thread, and nothing below a call that its own line says.
  expect(page).not.toContain("<dl>");
  expect(page.match(/Delegate further\./g)).toHaveLength(1);
  expect(page).toMatch(/<details><summary>Outer agent returned after [\d.]+ m?s<\/summary>/);
  expect(page).not.toContain("internal metadata");
  expect(page).toContain("Started in the background; the answer arrived later.");
});

test.each<[RecordedVersion, string]>([
  ["1.0.128", "Look at the project and say what it does."],
  ["2.0.42", "Look at the project and say what it does."],
  ["2.1.42", "Look at the project and say what it does."],
])("html: %s tells an agent's prompt once, wherever its log has it", async (version, asked) => {
  const page = await scenario("task-one", "html", version);
  expect(page.split(asked)).toHaveLength(2);
  expect(outline(page)).toHaveLength(5);
});

test("html: every agent of a workflow is in its call", async () => {
  const page = await scenario("workflow", "html");
  const lines = outline(page);
  const call = lines.findIndex((line) => line.startsWith("Workflow"));
  const agents = lines.slice(call + 1).filter((line) => /^ {2}\S/.test(line));
  expect(agents).toHaveLength(3);
  for (const line of agents) expect(line).toMatch(/ done \d+ tools?/);
});

test("an agent that was resumed is written once, and the call that resumed it leads there", async () => {
  const page = await scenario("task-resume", "html", "2.1.42");
  expect(page.match(/<details class="agent"/g)).toHaveLength(1);
  expect(page).toContain('<p class="meta">What it did: <a href="#agent-1">');
  const text = await scenario("task-resume", "md", "2.1.42");
  expect(text.match(/<a id="agent-1"><\/a>/g)).toHaveLength(1);
  expect(text.match(/\]\(#agent-1\)/g)).toHaveLength(2);
});

test("md: agents' threads follow the thread, and every link leads to one of them", async () => {
  const text = await scenario("task-nested", "md");
  const [thread = "", behind = ""] = text.split("\n# Agents\n");
  expect(thread).toMatch(/- \*\*Agent\*\* `Outer agent` — .*\[what it did\]\(#agent-1\)/);
  expect(thread).toMatch(/<summary>Outer agent returned after /);
  expect(thread).not.toContain("Quick answer");
  expect(behind).toMatch(
    /## Outer agent\n\n_general-purpose · done · 1 tool · 15k tokens · \$0\.007 · .* · started in turn 1_\n\n> Delegate/,
  );
  expect(behind).toMatch(/## Inner agent\n\n_.* · started by \[Outer agent\]\(#agent-1\)_/);
  expect(behind).toContain("> Answer quickly. SCENARIO:sub-quick\n\nQuick answer from a sub-agent.\n");
  const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
  const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id);
  expect(new Set(links)).toEqual(new Set(ids));
});

test("json: each agent has its rows", async () => {
  const { rows, agents } = JSON.parse(await scenario("task-parallel", "json"));
  expect(rows.some((row: { kind: string }) => row.kind === "turn")).toBe(true);
  const told = (agents as { description: string; rows: Row[] }[]).map(({ description, rows: own }) => [
    description,
    ...own.flatMap((row) => (row.kind === "tool" ? [`${row.name} ${row.subject}`] : [])),
  ]);
  expect(told).toEqual([
    ["Explore code", "Bash ls", "Read hello.py", "Read prices.json"],
    ["Slow check", "Bash sleep 1; echo slow"],
    ["Failing check", "Read missing.txt"],
  ]);
});

test("an agent whose log is gone is reported in its call", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-agents-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(fixtureFolder("2.1.330"), "projects/-home-dev-tui-agents"), join(root, "projects/x"), {
    recursive: true,
  });
  const session = "6a3a7dca-825e-4181-b3c0-80650e2fa644";
  for (const end of ["jsonl", "meta.json"])
    rmSync(join(root, `projects/x/${session}/subagents/agent-aeed47c311319a267.${end}`));
  const folder = await openFolder(root);
  const page = await exported(folder, session, "html");
  expect(page.match(/<details class="agent"/g)).toHaveLength(2);
  expect(page).toMatch(/Explore code.*?No log of its agents is left: what they did is not known/s);
  const text = await exported(folder, session, "md");
  expect(text).toMatch(/`Explore code` — .*No log of its agents is left/);
  expect(text).toMatch(/`Slow check` — .*\[what it did\]\(#agent-/);
});

test("a log that is deleted during the export ends its thread, and the rest follows", async () => {
  const { log, open } = newSession();
  log.prompt("Look twice");
  for (const name of ["first", "second"]) log.startAgent(name, `The ${name} look`).say(`Seen by the ${name}`);
  log.say("Both have looked");
  const folder = await open();
  const { sessions } = folder;
  const gone: typeof sessions.rows = (id, query) => {
    if (query.agent === "first") throw new ViewerError("agent-not-found", "There is no such agent");
    return sessions.rows(id, query);
  };
  const page = await exported({ ...folder, sessions: { ...sessions, rows: gone } }, uuid(1), "html");
  expect(page).toMatch(/The rest could not be read: its log is gone.*Seen by the second.*Both have looked/s);
  outline(page);
});

test("agents that no call started follow the thread, and those of an abandoned branch are counted", async () => {
  const { log, project, open } = newSession();
  log.prompt("Start here");
  const fork = log.lastLine;
  log.startAgent("tried", "What was tried").say("It was tried");
  log.say("Not like this");
  log.goBackTo(fork);
  log.startAgent("kept", "What was kept").say("It was kept");
  log.say("Like this");
  const own = { id: "alone", session: uuid(1) };
  const alone = new LogWriter(join(project, uuid(1), "subagents", "agent-alone.jsonl"), "root", own);
  alone.prompt("Nobody asked");
  alone.say("And yet it worked");
  const folder = await open();
  for (const format of ["html", "md"] as const) {
    const text = await exported(folder, uuid(1), format);
    expect(text).toMatch(/It was kept.*Nobody asked.*And yet it worked.*1 more agent, of a branch/s);
    expect(text).not.toContain("It was tried");
  }
});

test("agents nest to a maximum depth, and deeper ones follow the thread", async () => {
  const { log, open } = newSession();
  log.prompt("Delegate");
  let agent = log;
  for (let n = 1; n <= 30; n++) {
    agent = agent.startAgent(`n${n}`, `Number ${n}`);
    agent.say(`Work of ${n}`);
  }
  const folder = await open();
  const page = await exported(folder, uuid(1), "html");
  const depths = outline(page).map((line) => line.search(/\S/) / 2);
  expect(Math.max(...depths)).toBeLessThan(30);
  for (let n = 1; n <= 30; n++) {
    expect(page.split(`id="agent-${n}"`), `agent ${n}`).toHaveLength(2);
    expect(page).toContain(`Work of ${n}<`);
  }
  const text = await exported(folder, uuid(1), "md");
  expect([...text.matchAll(/^## Number (\d+)$/gm)].map(([, n]) => Number(n))).toEqual(
    Array.from({ length: 30 }, (_, n) => n + 1),
  );
});

test("an agent's long thread is written as it is read", async () => {
  const { log, open } = newSession();
  log.prompt("Count");
  log.startAgent("counter", "Count far").say(...Array.from({ length: 2_000 }, (_, n) => `number ${n}`));
  const folder = await open();
  const { sessions } = folder;
  let windows = 0;
  const counted: typeof sessions.rows = (id, query) => {
    if (query.agent !== null && query.count > 1) windows++;
    return sessions.rows(id, query);
  };
  const files = folder.catalog.sessionFiles(idOf(folder, uuid(1)));
  let largest = 0;
  const asked: Record<string, number> = {};
  const { pieces } = await exportSession({ ...sessions, rows: counted }, files, { format: "html" });
  for await (const piece of pieces) {
    largest = Math.max(largest, piece.length);
    // In JSON for the file's page, then as markup.
    for (const [, n] of String(piece).matchAll(/number (\d+["<])/g)) asked[n ?? ""] = windows;
  }
  expect([asked['0"'], asked['1999"']]).toEqual([1, 11]);
  expect([asked["0<"], asked["198<"], asked["199<"], asked["1999<"]]).toEqual([12, 12, 13, 22]);
  expect(largest).toBeLessThan(64_000);
});

test("if the session's own log is gone, agents of agents are still in their calls", async () => {
  const folder = `projects/-home-dev-shop/${uuid(2)}/subagents`;
  const line = { agentId: "a", isSidechain: true, sessionId: uuid(2), parentUuid: null };
  const root = makeTree({ [`${folder}/agent-a.jsonl`]: [prompt("outer work", line)] });
  const outer = new LogWriter(join(root, folder, "agent-a.jsonl"), "end", { id: "a", session: uuid(2) });
  outer.startAgent("b", "inner work").say("Done inside");
  const page = await exported(await openFolder(root), uuid(2), "html");
  expect(page).toMatch(/<h1 class="part"[^>]*>Agent a.*outer work.*<details class="agent".*Done inside/s);
  expect(page.match(/<h1 class="part"/g)).toHaveLength(1);
});

test("a session with many agents at work at once has as much to say of each as one with few", async () => {
  const sizes = [];
  for (const agents of [50, 100]) {
    const { log, open } = newSession();
    log.prompt("Start them all");
    const started = Array.from({ length: agents }, (_, index) => log.startAgent(`a${index}`, `Job ${index}`));
    for (const agent of started) {
      log.say("I wait");
      agent.say("done");
    }
    const { rows } = JSON.parse(await exported(await open(), uuid(1), "json")) as { rows: Row[] };
    expect(rows.at(-1)).toMatchObject({ passing: agents - LANE_COLUMNS });
    sizes.push(rows.reduce((sum, { lanes = [] }) => sum + lanes.length, 0) / agents);
  }
  const [few = 0, many = 0] = sizes;
  expect(few).toBeGreaterThan(1);
  expect(many).toBeLessThan(few * 1.1);
});

type Out = { from: number; to: number; returns: boolean; column: number };

/** Rows of a thread beside which these agents are out, as the API gives them: `counted` all of them as lanes. */
function rowsWith(outs: readonly Out[], count: number, counted: boolean): Row[] {
  return Array.from({ length: count }, (_, row) => {
    const lanes = outs.flatMap(({ from, to, returns, column }, agent): RowLane[] => {
      if (row < from || row > to) return [];
      const phase = row === from ? 1 : row === to && returns ? 2 : 0;
      return [[1, column, phase, from, agent]];
    });
    const isDrawn = ([, column, phase]: RowLane) => counted || column < LANE_COLUMNS || phase !== 0;
    const drawn = lanes.filter(isDrawn);
    return { key: String(row), lanes: drawn, passing: lanes.length - drawn.length } as unknown as Row;
  });
}

test("how many agents pass a row of a file is told without those whose call is not in it, whatever rows it lacks", () => {
  const out = fc.record({ from: fc.nat(28), more: fc.nat(20), returns: fc.boolean(), column: fc.nat(3) });
  fc.assert(
    fc.property(
      fc.array(out, { maxLength: 12 }),
      fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      (made, kept) => {
        const outs = made.map(({ from, more, returns, column }) => {
          const to = returns ? Math.min(29, from + 1 + more) : 29;
          return { from, to, returns, column: Math.min(column, LANE_COLUMNS) };
        });
        const lanes = new PlacedLanes();
        const told = rowsWith(outs, 30, false).flatMap((row, index) => {
          if (kept[index]) return [lanes.place(row)];
          lanes.leaveOut(row);
          return [];
        });
        const places = new Map<number, number>();
        for (const [index, isKept] of kept.entries()) if (isKept) places.set(index, places.size);
        const all = rowsWith(outs, 30, true).filter((_, index) => kept[index]);
        const expected = all.map(({ key, lanes: beside = [] }) => {
          const held = beside.flatMap(([lane, column, phase, from, agent]): RowLane[] => {
            const at = places.get(from);
            return at === undefined ? [] : [[lane, column, phase, at, agent]];
          });
          const drawn = held.filter(([, column, phase]) => column < LANE_COLUMNS || phase !== 0);
          return { key, lanes: drawn, passing: held.length - drawn.length };
        });
        expect(
          told.map(({ key, lanes: beside = [], passing = 0 }) => ({ key, lanes: beside, passing })),
        ).toEqual(expected);
      },
    ),
  );
});
