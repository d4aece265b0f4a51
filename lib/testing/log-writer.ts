import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Goes on with a log as the client would: each line hangs from the one before. */
export class LogWriter {
  readonly #path: string;
  readonly #session: string;
  readonly #agentId: string | undefined;
  #parent: string | null;

  /** @param from `root`: begins a branch of its own, as a rewind to the first prompt does */
  constructor(
    path: string,
    from: "end" | "root" = "end",
    agent: { id: string; session: string } | null = null,
  ) {
    this.#path = path;
    this.#session = agent?.session ?? path.slice(path.lastIndexOf("/") + 1).replace(".jsonl", "");
    this.#agentId = agent?.id;
    this.#parent = from === "end" ? lastUuid(path) : null;
  }

  /** Starts an agent: its call, and a file of its own beside the log, as 2.1.330 writes them. */
  startAgent(id: string, description: string): LogWriter {
    const toolUseId = this.call("Agent", { description, prompt: description, subagent_type: "Explore" });
    const beside = dirname(this.#path);
    const folder = this.#agentId === undefined ? join(beside, this.#session, "subagents") : beside;
    mkdirSync(folder, { recursive: true });
    const meta = { agentType: "Explore", description, toolUseId, spawnDepth: 1 };
    writeFileSync(join(folder, `agent-${id}.meta.json`), JSON.stringify(meta));
    const agent = new LogWriter(join(folder, `agent-${id}.jsonl`), "root", { id, session: this.#session });
    agent.prompt(description);
    return agent;
  }

  /** Appends a call and answers its id. */
  call(name: string, input: object): string {
    const id = `toolu_${randomUUID().slice(0, 12)}`;
    this.#append([answerOf({ type: "tool_use", id, name, input })]);
    return id;
  }

  /** Appends the result of a call. `more`: fields of its line, as `toolUseResult`. */
  result(toolUseId: string, text: string, more: object = {}): void {
    const content = [{ type: "tool_result", tool_use_id: toolUseId, content: text }];
    this.#append([{ type: "user", message: { role: "user", content }, ...more }]);
  }

  /** A result of a call that failed. */
  failure(toolUseId: string, text: string): void {
    const content = [{ type: "tool_result", tool_use_id: toolUseId, content: text, is_error: true }];
    this.#append([{ type: "user", message: { role: "user", content } }]);
  }

  /** Goes on from an earlier line, as a rewind does; without one it says which line is the last. */
  goBackTo(line: string | null): void {
    this.#parent = line;
  }

  get lastLine(): string | null {
    return this.#parent;
  }

  prompt(text: string): void {
    this.#append([{ type: "user", message: { role: "user", content: text } }]);
  }

  /** Appends an answer for each text, in one write. */
  say(...texts: string[]): void {
    this.#append(texts.map((text) => answerOf({ type: "text", text })));
  }

  /** Compacts the conversation so far: its boundary, and the summary on a line of its own. */
  compact(summary: string): void {
    const logicalParentUuid = this.#parent;
    this.#parent = null;
    const content = "Conversation compacted";
    this.#append([{ type: "system", subtype: "compact_boundary", content, logicalParentUuid }]);
    this.#append([{ type: "user", isCompactSummary: true, message: { role: "user", content: summary } }]);
  }

  /** Appends what 2.1.330 logs of a request before its answer. */
  request(): void {
    const messages = Array.from({ length: 12 }, () => ({ hash: randomUUID() + randomUUID() }));
    this.#append([{ type: "attachment", attachment: { type: "date", date: new Date().toDateString() } }]);
    this.#note({ type: "api-request", id: `req_${randomUUID()}`, messages });
  }

  /** Appends what 2.1.330 logs about the session again and again, between any two lines of the conversation. */
  bookkeeping(): void {
    this.#note(
      { type: "last-prompt", lastPrompt: "go on", leafUuid: this.#parent },
      { type: "mode", mode: "normal" },
      { type: "permission-mode", permissionMode: "default" },
    );
  }

  /** Lines without a place in the conversation. */
  #note(...records: object[]): void {
    const lines = records.map((record) => `${JSON.stringify({ ...record, sessionId: this.#session })}\n`);
    appendFileSync(this.#path, lines.join(""));
  }

  #append(records: object[]): void {
    const lines = records.map((record) => {
      const uuid = randomUUID();
      const base = {
        parentUuid: this.#parent,
        isSidechain: this.#agentId !== undefined,
        agentId: this.#agentId,
        userType: "external",
        cwd: "/home/dev/bench",
        gitBranch: "main",
      };
      this.#parent = uuid;
      const timestamp = new Date().toISOString();
      return `${JSON.stringify({ ...base, sessionId: this.#session, version: "2.1.42", uuid, timestamp, ...record })}\n`;
    });
    appendFileSync(this.#path, lines.join(""));
  }
}

function answerOf(block: object) {
  return {
    type: "assistant",
    message: {
      id: `msg_${randomUUID().slice(0, 12)}`,
      role: "assistant",
      type: "message",
      model: "claude-opus-4-5",
      content: [block],
      stop_reason: null,
      usage: { input_tokens: 12, output_tokens: 8 },
    },
  };
}

/** The main log of a session in a configuration folder. */
export function logOf(dir: string, id: string): string {
  const projects = join(dir, "projects");
  for (const slug of readdirSync(projects)) {
    if (readdirSync(join(projects, slug)).includes(`${id}.jsonl`)) return join(projects, slug, `${id}.jsonl`);
  }
  throw new Error(`no log of ${id} in ${dir}`);
}

/** Of the last line that is part of the conversation's main thread. */
function lastUuid(path: string): string | null {
  let text = "";
  try {
    text = readFileSync(path)
      .subarray(-(1 << 20))
      .toString("utf8");
  } catch {
    return null; // a log that is about to be begun
  }
  for (const line of text.trimEnd().split("\n").toReversed()) {
    const found = /"isSidechain":false/.test(line) && /"uuid":"([^"]+)"/.exec(line)?.[1];
    if (found) return found;
  }
  return null;
}
