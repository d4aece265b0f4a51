import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

export type Op =
  | { do: "write"; writer: number; lines: number }
  | { do: "tear"; cut: number }
  | { do: "mend" }
  | { do: "agent"; lines: number }
  | { do: "goBack"; share: number }
  | { do: "truncate"; share: number }
  | { do: "rotate"; lines: number }
  | { do: "remove" }
  | { do: "rename" }
  | { do: "before" }
  | { do: "after" };

const SESSION = "5e551011-0000-4000-8000-000000000000";
const OTHER = "0de50000-0000-4000-8000-000000000000";
const BEFORE = "be40e000-0000-4000-8000-000000000000";
const AFTER = "af7e4000-0000-4000-8000-000000000000";

/** A session's files under work by two writers, an agent, and whoever moves and cuts files. */
export class WrittenSession {
  readonly main: string;
  readonly #agent: string;
  /** The first line hangs from one of a session before, should there be one. */
  readonly #parents: string[] = [uuidOf(0), uuidOf(0)];
  #count = 0;
  #rest = "";
  #lastCall = "toolu_0";

  constructor(readonly dir: string) {
    const project = join(dir, "projects", "-home-dev-shop");
    mkdirSync(project, { recursive: true });
    this.main = join(project, `${SESSION}.jsonl`);
    this.#agent = join(project, SESSION, "subagents", "agent-a11a11a.jsonl");
    this.#write(0, 2);
  }

  run(op: Op): void {
    switch (op.do) {
      case "write":
        return this.#write(op.writer, op.lines);
      case "tear":
        return this.#tear(op.cut);
      case "mend":
        return this.#mend();
      case "agent":
        return this.#writeAgent(op.lines);
      case "goBack":
        return this.#goBack(op.share);
      case "truncate":
        if (existsSync(this.main)) truncateSync(this.main, Math.floor(statSync(this.main).size * op.share));
        this.#rest = "";
        return;
      case "rotate":
        if (existsSync(this.main)) renameSync(this.main, `${this.main}.old`);
        this.#rest = "";
        return this.#write(0, op.lines);
      case "remove":
        rmSync(this.main, { force: true });
        this.#rest = "";
        return;
      case "rename": {
        const other = this.main.replace(SESSION, OTHER);
        if (existsSync(this.main)) renameSync(this.main, other);
        else if (existsSync(other)) renameSync(other, this.main);
        this.#rest = "";
        return;
      }
      case "before":
        return this.#writeBeside(BEFORE, { uuid: uuidOf(0), parentUuid: null }, "plan the shop");
      case "after": {
        const parentUuid = this.#parents[0] ?? null;
        const result = { type: "tool_result", tool_use_id: this.#lastCall, content: "stopped" };
        return this.#writeBeside(AFTER, { ...this.#base(parentUuid), sessionId: AFTER }, [result]);
      }
    }
  }

  /** A session that this one goes on from, or that goes on from it; and then another title of it each time. */
  #writeBeside(id: string, base: object, content: unknown): void {
    const path = this.main.replace(SESSION, id);
    const time = { timestamp: new Date(1_760_000_000_000).toISOString(), cwd: "/home/dev/shop" };
    const line = { ...time, ...base, type: "user", version: "2.1.42", message: { role: "user", content } };
    this.#count += 1;
    const title = { type: "custom-title", customTitle: `Title ${this.#count}`, sessionId: id };
    appendFileSync(path, `${JSON.stringify(existsSync(path) ? title : line)}\n`);
  }

  /** Lines that end in a newline, in both files. */
  wholeLines(): number {
    return [this.main, this.#agent].reduce((sum, path) => {
      return sum + (existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0);
    }, 0);
  }

  #write(writer: number, lines: number): void {
    // A writer does not wait for another one's half line; what comes out is one bad line.
    for (let n = 0; n < lines; n++) appendFileSync(this.main, `${this.#line(writer)}\n`);
    this.#rest = "";
  }

  #tear(cut: number): void {
    if (this.#rest !== "") return this.#mend();
    const line = `${this.#line(0)}\n`;
    const at = 1 + Math.floor((line.length - 2) * cut);
    appendFileSync(this.main, line.slice(0, at));
    this.#rest = line.slice(at);
  }

  #mend(): void {
    if (this.#rest !== "" && existsSync(this.main)) appendFileSync(this.main, this.#rest);
    this.#rest = "";
  }

  #writeAgent(lines: number): void {
    mkdirSync(dirname(this.#agent), { recursive: true });
    if (!existsSync(this.#agent)) writeFileSync(this.#agent, "");
    for (let n = 0; n < lines; n++) {
      const record = {
        ...this.#base(null),
        isSidechain: true,
        agentId: "a11a11a",
        ...said(`agent ${this.#count}`, this.#count),
      };
      appendFileSync(this.#agent, `${JSON.stringify(record)}\n`);
    }
  }

  /** The client says that it went back to a line (2.1.330). */
  #goBack(share: number): void {
    const leafUuid = uuidOf(Math.ceil(this.#count * share));
    appendFileSync(this.main, `${JSON.stringify({ type: "last-prompt", leafUuid, explicit: true })}\n`);
    this.#rest = "";
  }

  #base(parentUuid: string | null) {
    this.#count += 1;
    const uuid = uuidOf(this.#count);
    const timestamp = new Date(1_760_000_000_000 + this.#count * 1000).toISOString();
    return {
      parentUuid,
      uuid,
      timestamp,
      sessionId: SESSION,
      cwd: "/home/dev/shop",
      version: "2.1.42",
      isSidechain: false,
    };
  }

  /** Prompts, texts, calls and their results, in turn; a call and its result may have other lines between. */
  #line(writer: number): string {
    const base = this.#base(this.#parents[writer] ?? this.#parents[0] ?? null);
    this.#parents[writer] = base.uuid;
    const n = this.#count;
    const step = n % 5;
    if (step === 0)
      return JSON.stringify({ ...base, type: "user", message: { role: "user", content: `prompt ${n}` } });
    if (step === 2) {
      this.#lastCall = `toolu_${n}`;
      const call = { type: "tool_use", id: this.#lastCall, name: "Bash", input: { command: `echo ${n}` } };
      return JSON.stringify({ ...base, ...assistant([call], n) });
    }
    if (step === 4) {
      const result = { type: "tool_result", tool_use_id: `toolu_${n - 2}`, content: `out ${n}` };
      return JSON.stringify({ ...base, type: "user", message: { role: "user", content: [result] } });
    }
    return JSON.stringify({ ...base, ...said(`text ${n} ü\u2028`, n) });
  }
}

function uuidOf(count: number): string {
  return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
}

function said(text: string, n: number) {
  return assistant([{ type: "text", text }], n);
}

function assistant(content: unknown[], n: number) {
  const usage = { input_tokens: n, output_tokens: 1 };
  return {
    type: "assistant",
    message: { id: `msg_${n}`, role: "assistant", model: "claude-x", content, stop_reason: null, usage },
  };
}
