import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/log/records/json";
import { describeCall } from "./describe-call";

const CWD = "/home/dev/shop";

/** What came back: the client's structured result, the text that the model got, or an error's text. */
type Outcome = {
  result?: JsonObject;
  text?: string;
  error?: string;
  isCut?: boolean;
  cutSize?: { bytes: number; lines: number };
};

function line(name: string, input: JsonObject, { result, text, error, isCut, cutSize }: Outcome): string {
  const call = describeCall({
    name,
    input,
    cwd: CWD,
    isError: error !== undefined,
    text: error ?? text ?? (result ? "" : null),
    isCut: isCut ?? false,
    cutSize: cutSize ?? null,
    result: result ?? null,
  });
  return [name, call.subject, call.aside && `(${call.aside})`, call.result && `= ${call.result}`]
    .filter(Boolean)
    .join(" ");
}

type Told = [line: string, input: JsonObject, outcome: Outcome];

/** Each call as its row describes it; the tool's name is the line's first word. */
function tells(expected: string, input: JsonObject, outcome: Outcome): void {
  expect(line(expected.split(" ")[0] ?? "", input, outcome)).toBe(expected);
}

const path = (name: string) => ({ file_path: `${CWD}/${name}` });
const read = (type: string, file: JsonObject) => ({ result: { type, file } });

describe("files", () => {
  test.each<Told>([
    [
      "Read src/a.ts = 12 lines",
      path("src/a.ts"),
      read("text", { content: "…", numLines: 12, totalLines: 12 }),
    ],
    [
      "Read src/a.ts (40–59) = 20 of 900 lines",
      { ...path("src/a.ts"), offset: 40, limit: 20 },
      read("text", { content: "…", numLines: 20, startLine: 40, totalLines: 900 }),
    ],
    [
      "Read src/a.ts = 2,000 of 12,000 lines",
      path("src/a.ts"),
      read("text", { content: "…", numLines: 2_000, totalLines: 12_000 }),
    ],
    [
      "Read src/a.ts (40–) = 1 line",
      { ...path("src/a.ts"), offset: 40 },
      read("text", { content: "…", numLines: 1, totalLines: 1 }),
    ],
    ["Read empty.txt = empty", path("empty.txt"), read("text", { content: "", numLines: 1, totalLines: 1 })],
    [
      "Read logo.png = image 64 × 32",
      path("logo.png"),
      read("image", { dimensions: { originalWidth: 64, originalHeight: 32 } }),
    ],
    ["Read logo.png = image", path("logo.png"), read("image", { base64: "…" })],
    ["Read a.ipynb = notebook, 2 cells", path("a.ipynb"), read("notebook", { cells: [{}, {}] })],
    ["Read spec.pdf = PDF", path("spec.pdf"), read("pdf", { base64: "…" })],
    ["Read spec.pdf (pages 3-5) = PDF", { ...path("spec.pdf"), pages: "3-5" }, read("pdf", { base64: "…" })],
    ["Read src/a.ts = unchanged", path("src/a.ts"), read("file_unchanged", {})],
    ["Read /etc/hosts", { file_path: "/etc/hosts" }, {}],
    [
      "Read gone.ts = File does not exist.",
      path("gone.ts"),
      { error: "<tool_use_error>File does not exist.</tool_use_error>" },
    ],
    ["Write new.ts = created", path("new.ts"), { result: { type: "create" } }],
    ["Write old.ts", path("old.ts"), { result: { type: "update" } }],
    // Agents' lines (2.1.29 and later), copied ones (1.0.60) and those with several results (2.1.330) have the text alone.
    [
      "Write new.ts = created",
      path("new.ts"),
      { text: "File created successfully at: /home/dev/shop/new.ts" },
    ],
    ["Edit src/a.ts", path("src/a.ts"), { result: { userModified: false } }],
    [
      "Edit src/a.ts (changed by the user) = all",
      { ...path("src/a.ts"), replace_all: true },
      { result: { userModified: true } },
    ],
    ["MultiEdit src/a.ts = 3 edits", { ...path("src/a.ts"), edits: [{}, {}, {}] }, { result: {} }],
    [
      "NotebookEdit a.ipynb (cell c1, insert)",
      { notebook_path: `${CWD}/a.ipynb`, cell_id: "c1", edit_mode: "insert" },
      { result: {} },
    ],
    ["NotebookRead a.ipynb", { notebook_path: `${CWD}/a.ipynb` }, {}],
    ["LS .", { path: CWD }, { text: "- src" }],
    ["LS src", { path: `${CWD}/src` }, { text: "- a.ts" }],
  ])("%s", tells);
});

describe("finding", () => {
  test.each<Told>([
    [
      "Glob **/*.ts (in src) = 7 files",
      { pattern: "**/*.ts", path: `${CWD}/src` },
      { result: { numFiles: 7, truncated: false } },
    ],
    ["Glob **/* = 100+ files", { pattern: "**/*" }, { result: { numFiles: 100, truncated: true } }],
    ["Glob *.md = 1 file", { pattern: "*.md" }, { result: { numFiles: 1 } }],
    [
      "Grep retry (in src *.ts) = 9 in 4 files",
      { pattern: "retry", path: `${CWD}/src`, glob: "*.ts" },
      { result: { mode: "content", numFiles: 4, numLines: 9 } },
    ],
    [
      "Grep retry = 2,310 in 1,204 files",
      { pattern: "retry" },
      { result: { mode: "content", numFiles: 1_204, numLines: 2_310 } },
    ],
    [
      "Grep retry = 3 in 1 file",
      { pattern: "retry" },
      { result: { mode: "count", numFiles: 1, numMatches: 3 } },
    ],
    ["Grep retry = 1 line", { pattern: "retry" }, { result: { mode: "content", numFiles: 0, numLines: 1 } }],
    [
      "Grep retry (in py) = 2 files",
      { pattern: "retry", type: "py" },
      { result: { mode: "files_with_matches", numFiles: 2 } },
    ],
  ])("%s", tells);
});

describe("shells", () => {
  test.each<Told>([
    ["Bash ls = no output", { command: "ls" }, { result: { stdout: "" } }],
    ["Bash pwd = /home/dev/shop", { command: "pwd" }, { result: { stdout: "/home/dev/shop\n" } }],
    ["Bash seq 3 = 3 lines", { command: "seq 3" }, { result: { stdout: "1\n2\n3\n" } }],
    [
      "Bash seq 999 = 2+ lines",
      { command: "seq 999" },
      { result: { stdout: `1\n${"2".repeat(60)}` }, isCut: true },
    ],
    [
      "Bash seq 30000 = 30,000 lines · 1.6 MB",
      { command: "seq 30000" },
      {
        result: { stdout: `1\n${"2".repeat(60)}` },
        isCut: true,
        cutSize: { bytes: 1_620_000, lines: 30_000 },
      },
    ],
    [
      "Bash cat = 269 kB",
      { command: "cat" },
      { result: { stdout: "a\nb", persistedOutputSize: 268_893 }, text: "a\nb" },
    ],
    [
      "Bash cat = 269 kB",
      { command: "cat" },
      { text: "<persisted-output>\nOutput too large (262.6KB). Full output saved to: /x\n" },
    ],
    // 2.0.42 and later; 1.0.128 gives the output alone.
    ["Bash false = exit 3", { command: "false" }, { error: "Error: Exit code 3\nno" }],
    ["Bash false = no such thing", { command: "false" }, { error: "no such thing" }],
    [
      "Bash sleep 99 = background · b1f",
      { command: "sleep 99", run_in_background: true },
      { result: { stdout: "", backgroundTaskId: "b1f" } },
    ],
    [
      "Bash sleep 99 = moved to background · b1f",
      { command: "sleep 99" },
      { result: { stdout: "", backgroundTaskId: "b1f" } },
    ],
    // Agents' lines from 2.1.29 on, and lines with the results of several calls (2.1.330), have the text alone.
    [
      "Bash sleep 99 = background · b1f",
      { command: "sleep 99", run_in_background: true },
      { text: "Command running in background with ID: b1f. Output is being written to: /tmp/b1f.output" },
    ],
    [
      "Bash pwd = /home/dev/shop",
      { command: "pwd" },
      {
        text: "/home/dev/shop\n\n<system-reminder>\n<total_tokens>14977861 tokens left</total_tokens>\n</system-reminder>",
      },
    ],
    [
      "Bash cd /tmp = Shell cwd was reset to /home/dev/shop",
      { command: "cd /tmp" },
      { result: { stdout: "", stderr: "Shell cwd was reset to /home/dev/shop" } },
    ],
    [
      "Bash render = image",
      { command: "render" },
      { result: { stdout: "data:image/png;base64,iVBORw0KGgo", isImage: true } },
    ],
    [
      "Bash grep -r todo = No matches found",
      { command: "grep -r todo" },
      { result: { stdout: "", returnCodeInterpretation: "No matches found" } },
    ],
    ["PowerShell dir = ok", { command: "dir" }, { result: { stdout: "ok" } }],
    [
      "BashOutput b1f = completed, exit 0",
      { bash_id: "b1f" },
      { result: { shellId: "b1f", status: "completed", exitCode: 0 } },
    ],
    [
      "TaskOutput t7 = running",
      { task_id: "t7" },
      { result: { retrieval_status: "timeout", task: { status: "running" } } },
    ],
    ["AgentOutput a1 = not_ready", { agentId: "a1" }, { result: { retrieval_status: "not_ready" } }],
    ["AgentOutputTool a1 = not_ready", { agentId: "a1" }, { result: { retrieval_status: "not_ready" } }],
    ["KillShell b1f = stopped", { shell_id: "b1f" }, { result: { message: "…", shell_id: "b1f" } }],
    ["KillBash b1f", { shell_id: "b1f" }, {}],
    ["TaskStop t7 (sleep 99) = stopped", { task_id: "t7" }, { result: { command: "sleep 99" } }],
    ["Monitor tail -f log", { command: "tail -f log", description: "watch" }, { result: {} }],
  ])("%s", tells);
});

describe("agents", () => {
  test.each<Told>([
    [
      "Task find callers (Explore)",
      { description: "find callers", prompt: "…", subagent_type: "Explore" },
      { result: {} },
    ],
    ["Agent look at every file", { prompt: "look at every file" }, { result: {} }],
    ["SendMessage to a1 (go on)", { to: "a1", message: "go on" }, { result: {} }],
    [
      "SendMessage to lead (shutdown_request)",
      { to: "lead", message: { type: "shutdown_request", reason: "done" } },
      { result: {} },
    ],
    [
      "SendMessage to lead (done)",
      { type: "message", recipient: "lead", content: "done" },
      { text: "Message sent" },
    ],
    [
      "Workflow audit (2 agents)",
      { script: "export const meta = {}" },
      { result: { workflowName: "audit", summary: "2 agents" } },
    ],
    ["Workflow export const meta = {}", { script: "export const meta = {}" }, {}],
    ["Workflow audit", { script: "export const meta = { name: 'audit', phases: [] }" }, {}],
  ])("%s", tells);
});

describe("lists of things to do", () => {
  test.each<Told>([
    [
      "TodoWrite 1 of 3 done (next: build)",
      {
        todos: [
          { content: "read", status: "completed" },
          { content: "build", status: "in_progress" },
          { content: "test", status: "pending" },
        ],
      },
      { result: {} },
    ],
    ["TodoWrite [{ = no list", { todos: "[{" }, { error: "no list" }],
    ["TodoWrite = no list", {}, { error: "no list" }],
    ["TodoWrite list emptied", { todos: [] }, { result: { oldTodos: [], newTodos: [] } }],
    [
      "TaskCreate Fix = added",
      { subject: "Fix", description: "the test" },
      { result: { task: { id: "1" } } },
    ],
    ["TaskUpdate #2 (waits for #1)", { taskId: "2", addBlockedBy: ["1"] }, { result: { success: true } }],
    [
      "TaskUpdate #2 = in progress → done",
      { taskId: "2", status: "completed" },
      { result: { statusChange: { from: "in_progress", to: "completed" } } },
    ],
    [
      "TaskGet #2 Fix = pending",
      { taskId: "2" },
      { result: { task: { subject: "Fix", status: "pending" } } },
    ],
    ["TaskList = 2 tasks", {}, { result: { tasks: [{}, {}] } }],
    [
      "TaskList = 2 tasks",
      {},
      { text: "#1 [completed] Read the code\n#2 [pending] Fix it\n\n<system-reminder>" },
    ],
    ["TaskList = 0 tasks", {}, { text: "No tasks found" }],
    ["TaskList", {}, {}],
    ["TaskGet #2 Fix = done", { taskId: "2" }, { text: "Task #2: Fix\nStatus: completed\nDescription: it" }],
  ])("%s", tells);
});

describe("everything else", () => {
  test.each<Told>([
    ["WebFetch https://example.com/ = 200", { url: "https://example.com/" }, { result: { code: 200 } }],
    ["WebFetch https://example.com/", { url: "https://example.com/" }, {}],
    [
      "WebSearch node streams = 3 links",
      { query: "node streams" },
      { result: { results: [{ content: [{}, {}] }, "and", { content: [{}] }] } },
    ],
    ["web_search node streams", { query: "node streams" }, {}],
    [
      "ExitPlanMode Make it fast = accepted",
      { plan: "# Make it fast\n\n1. Measure" },
      { result: {}, text: "User has approved your plan." },
    ],
    ["ExitPlanMode Plan = nobody to ask", { plan: "# Plan" }, { error: "Exit plan mode?" }],
    ["exit_plan_mode Plan", { plan: "Plan" }, {}],
    [
      "AskUserQuestion Which one? (→ the first) = answered",
      { questions: [{ question: "Which one?" }] },
      { result: { answers: { "Which one?": "the first" } } },
    ],
    [
      "AskUserQuestion Which one? (→ the first; And then? → no answer; Why? → it is cheap, and small) = answered",
      { questions: [{ question: "Which one?" }, { question: "And then?" }, { question: "Why?" }] },
      { result: { answers: { "Which one?": "the first", "Why?": "it is cheap, and small" } } },
    ],
    [
      "AskUserQuestion Which one? (→ no answer; And then? → nothing) = answered",
      { questions: [{ question: "Which one?" }, { question: "And then?" }] },
      { result: { answers: { "And then?": "nothing" } } },
    ],
    [
      "AskUserQuestion Which one? (→ the first) = answered",
      { questions: [{ question: "Which one?" }] },
      { result: { answers: { "0": "the first" } } },
    ],
    [
      "AskUserQuestion Which one? = nobody to ask",
      { questions: [{ question: "Which one?" }] },
      { error: "Error: Answer questions?" },
    ],
    ["ask_user_question Which one?", { questions: [{ question: "Which one?" }] }, {}],
    ["Skill review (src)", { skill: "review", args: "src" }, { result: { success: true } }],
    ["SlashCommand /review src", { command: "/review src" }, { result: { commandName: "review" } }],
    [
      "ToolSearch select:Monitor = 1 tool loaded",
      { query: "select:Monitor" },
      { result: { matches: ["Monitor"] } },
    ],
    ["EnterWorktree exp = entered", { name: "exp" }, { result: { worktreeBranch: "worktree-exp" } }],
    [
      "ExitWorktree worktree-exp (left worktree, changes kept)",
      { action: "keep" },
      { result: { worktreeBranch: "worktree-exp" } },
    ],
    ["ExitWorktree (left worktree, changes removed)", { action: "remove" }, { result: {} }],
    ["ExitWorktree (remove) = it has changes", { action: "remove" }, { error: "it has changes" }],
  ])("%s", tells);
});

describe("a tool that nobody described", () => {
  test.each<Told>([
    ["get_weather Paris", { query: "Paris", units: "C" }, { text: "18 °C" }],
    [
      "set units: C, retries: 3, tags: [2], at: {…}",
      { units: "C", retries: 3, tags: ["a", "b"], at: {} },
      {},
    ],
    ["ping", {}, { text: "pong" }],
    ["ping = failed", {}, { error: "" }],
    ["CronCreate wake up = no such schedule", { prompt: "wake up" }, { error: "Error: no such schedule" }],
  ])("%s", tells);
});

test("a path is relative to the call's folder on Windows as elsewhere", () => {
  const subject = (cwd: string, file_path: string) =>
    describeCall({
      name: "Read",
      input: { file_path },
      cwd,
      isError: false,
      text: null,
      isCut: false,
      result: null,
    }).subject;
  expect(subject("C:\\Users\\dev\\shop", "C:\\Users\\dev\\shop\\src\\a.ts")).toBe("src\\a.ts");
  expect(subject("c:\\Users\\dev\\shop", "C:/Users/dev/shop/src/a.ts")).toBe("src/a.ts");
  expect(subject("C:\\Users\\dev\\shop", "C:\\Users\\dev\\other\\a.ts")).toBe("~\\other\\a.ts");
});
