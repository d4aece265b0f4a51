import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SVG_IMAGE } from "./hostile-payloads";

type Json = Record<string, unknown>;
type Call = { name: string; input: Json; result?: unknown; content?: unknown; isError?: boolean };

/** The number of payloads written, and the ids of the sessions. */
export type HostileTree = { planted: number; sessions: string[] };

/**
 * Writes logs with each payload in every field that a page shows: one turn per payload, `perSession` turns per session.
 */
export function writeHostileTree(dir: string, payloads: readonly string[], perSession: number): HostileTree {
  const folder = join(dir, "projects", "-home-dev-hostile");
  mkdirSync(folder, { recursive: true });
  const sessions: string[] = [];
  let planted = 0;
  for (let from = 0; from < payloads.length; from += perSession) {
    const own = payloads.slice(from, from + perSession);
    const id = `00000000-0000-4000-8000-${String(sessions.length).padStart(12, "0")}`;
    const session = new HostileSession(id, own[0] ?? "");
    for (const payload of own) session.turn(payload);
    session.metadata(own.at(-1) ?? "");
    writeFileSync(join(folder, `${id}.jsonl`), session.text());
    planted += session.planted;
    sessions.push(id);
  }
  return { planted, sessions };
}

class HostileSession {
  readonly #id: string;
  readonly #first: string;
  planted = 0;
  readonly #lines: string[] = [];
  #count = 0;
  #parent: string | null = null;

  constructor(id: string, first: string) {
    this.#id = id;
    this.#first = first;
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  turn(payload: string): void {
    this.#user(payload);
    this.#assistant([{ type: "thinking", thinking: payload, signature: payload }]);
    this.#assistant([
      { type: "text", text: `Before\n\n${payload}\n\nafter`, citations: [{ url: payload, title: payload }] },
    ]);
    for (const call of callsWith(payload)) this.#call(call);
    this.#user([
      { type: "text", text: payload },
      { type: "image", source: { type: "base64", media_type: payload.slice(0, 80), data: btoa(SVG_IMAGE) } },
      { type: "image", source: { type: "url", url: "http://tracker.invalid/pixel.png" } },
      { type: "document", source: { type: "text", media_type: "text/html", data: payload }, title: payload },
    ]);
    this.#user(
      `<command-message>${payload}</command-message><command-name>/${payload}</command-name><command-args>${payload}</command-args>`,
    );
    this.#user(`<local-command-stdout>${payload}</local-command-stdout>`);
    this.#user(
      `<task-notification><task-id>${payload}</task-id><status>${payload}</status><summary>${payload}</summary></task-notification>`,
    );
    this.#user(`<system-reminder>${payload}</system-reminder>`, { isMeta: true });
    this.#record({ type: "system", subtype: "informational", content: payload, level: payload });
    this.#record({
      type: "system",
      subtype: "local_command",
      content: `<command-name>${payload}</command-name>`,
    });
    this.#record({ type: "system", subtype: "api_error", error: { message: payload, status: payload } });
    this.#record({ type: "system", subtype: payload, content: payload });
    this.#record({
      type: "attachment",
      attachment: { type: "hook_success", hookName: payload, stdout: payload, command: payload },
    });
    this.#record({ type: "attachment", attachment: { type: "file", filename: payload, content: payload } });
    this.#record({ type: "attachment", attachment: { type: payload, rendered: payload } });
    this.#record({ type: payload, content: payload });
    this.#assistant([{ type: "server_tool_use", id: payload, name: payload, input: { query: payload } }]);
    this.#assistant([{ type: payload, text: payload }]);
    this.planted += 30;
  }

  /** Metadata that names a session in the library, and a line that is not JSON. */
  metadata(payload: string): void {
    this.#lines.push(JSON.stringify({ type: "summary", summary: payload, leafUuid: this.#parent }));
    this.#lines.push(
      JSON.stringify({ type: "custom-title", customTitle: `Hostile ${payload}`, sessionId: this.#id }),
    );
    this.#lines.push(`{"type":"user","message":${payload.replaceAll("\n", " ")}`);
    this.#record({
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: { trigger: payload, preTokens: 1 },
    });
    this.#user(payload, { isCompactSummary: true, isVisibleInTranscriptOnly: true });
    this.planted += 8;
  }

  #call({ name, input, result, content, isError = false }: Call): void {
    const toolUseId = `toolu_${this.#id.slice(-4)}_${this.#count}`;
    this.#assistant([{ type: "tool_use", id: toolUseId, name, input }]);
    this.#user([{ type: "tool_result", tool_use_id: toolUseId, is_error: isError, content: content ?? "" }], {
      toolUseResult: result,
    });
    this.planted += 1;
  }

  #user(content: unknown, more: Json = {}): void {
    this.#record({ type: "user", message: { role: "user", content }, ...more });
  }

  #assistant(content: unknown[]): void {
    const message = {
      id: `msg_${this.#id.slice(-4)}_${this.#count}`,
      role: "assistant",
      model: this.#first.slice(0, 60),
      content,
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    this.#record({ type: "assistant", message });
  }

  #record(fields: Json): void {
    const n = this.#count++;
    const uuid = `${this.#id.slice(0, 24)}${String(n).padStart(12, "0")}`;
    this.#lines.push(
      JSON.stringify({
        parentUuid: this.#parent,
        isSidechain: false,
        cwd: `/home/dev/${this.#first.replaceAll(/[\n/]/g, " ").slice(0, 60)}`,
        gitBranch: this.#first.slice(0, 60),
        version: this.#first.slice(0, 40),
        sessionId: this.#id,
        uuid,
        timestamp: new Date(1_795_000_000_000 + n * 1000).toISOString(),
        ...fields,
      }),
    );
    this.#parent = uuid;
  }
}

/** One call for each tool with a view of its own, with the payload in every field that the view reads. */
function callsWith(p: string): Call[] {
  const path = `/home/dev/shop/${p}`;
  const patch = [
    {
      oldStart: 1,
      oldLines: 1,
      newStart: 1,
      newLines: 1,
      lines: p.split("\n").flatMap((l) => [`-${l}`, `+${l}x`]),
    },
  ];
  const edit = { filePath: path, oldString: p, newString: p, originalFile: p, structuredPatch: patch };
  return [
    { name: "Bash", input: { command: p, description: p }, result: { stdout: p, stderr: p }, content: p },
    {
      name: "Bash",
      input: { command: p },
      content: `Exit code 1\n${p}`,
      isError: true,
      result: `Error: ${p}`,
    },
    {
      name: "BashOutput",
      input: { bash_id: p },
      result: { shellId: p, command: p, status: p, stdout: p, stderr: p },
    },
    { name: "TaskOutput", input: { task_id: p }, result: { task: { status: p, description: p, output: p } } },
    { name: "KillShell", input: { shell_id: p }, result: { message: p, shell_id: p, command: p } },
    { name: "Monitor", input: { command: p, description: p }, result: { taskId: p, timeoutMs: 1 } },
    {
      name: "Read",
      input: { file_path: path },
      result: { type: "text", file: { filePath: path, content: p, startLine: 1 } },
    },
    {
      name: "Read",
      input: { file_path: path },
      content: [
        { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: btoa(SVG_IMAGE) } },
      ],
    },
    { name: "Edit", input: { file_path: path, old_string: p, new_string: p }, result: edit, content: p },
    { name: "Edit", input: { file_path: path, old_string: p, new_string: `${p}.` }, content: p },
    {
      name: "Write",
      input: { file_path: path, content: p },
      result: { type: "create", filePath: path, content: p, structuredPatch: [] },
    },
    {
      name: "NotebookEdit",
      input: { notebook_path: path, cell_id: p, new_source: p },
      result: { cell_id: p, cell_type: p, old_source: "a", new_source: p },
    },
    { name: "Glob", input: { pattern: p }, result: { filenames: [path, p], numFiles: 2 } },
    {
      name: "Grep",
      input: { pattern: p, output_mode: "content" },
      result: { mode: "content", content: p, numLines: 1 },
      content: `${p}:1:${p}`,
    },
    { name: "LS", input: { path }, content: `- ${path}/\n  - ${p}` },
    {
      name: "WebFetch",
      input: { url: p, prompt: p },
      result: { code: 200, codeText: p, url: p },
      content: p,
    },
    {
      name: "WebSearch",
      input: { query: p },
      result: {
        query: p,
        results: [
          p,
          {
            content: [
              { title: p, url: p },
              { title: p, url: "http://tracker.invalid/" },
            ],
          },
        ],
      },
    },
    {
      name: "Agent",
      input: { description: p, prompt: p, subagent_type: p },
      content: [{ type: "text", text: p }],
    },
    { name: "SendMessage", input: { to: p, message: p, summary: p }, result: { success: true, message: p } },
    {
      name: "Workflow",
      input: { script: `export const meta = { name: '${p}' }` },
      result: { workflowName: p, summary: p },
    },
    {
      name: "TodoWrite",
      input: { todos: [{ content: p, status: p }] },
      result: { oldTodos: [{ content: `${p}.`, status: "pending" }], newTodos: [] },
    },
    {
      name: "TaskUpdate",
      input: { taskId: p, status: p, subject: p, description: p },
      result: { success: true, statusChange: { from: p, to: p } },
    },
    { name: "ExitPlanMode", input: { plan: p }, content: `the user said: ${p}`, isError: true },
    {
      name: "AskUserQuestion",
      input: { questions: [{ question: p, options: [{ label: p, description: p }] }] },
      result: { answers: { [p]: p } },
    },
    { name: "Skill", input: { skill: p, args: p }, result: { success: true, commandName: p } },
    { name: "ToolSearch", input: { query: p }, result: { matches: [p], query: p } },
    { name: "EnterWorktree", input: { name: p }, result: { worktreePath: path, worktreeBranch: p } },
    {
      name: `mcp__${p}__tool`,
      input: { [p]: p },
      content: [{ type: "text", text: JSON.stringify([{ [p]: p }]) }],
    },
    { name: p, input: { a: p }, content: [{ type: p, value: p }] },
    { name: "constructor", input: { ["__proto__"]: p }, content: p },
  ];
}
