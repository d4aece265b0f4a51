import { appendFileSync } from "node:fs";

/** Writes a session's log line by line, as 2.1.330 does: prompts, answers, and calls of Read with their results. */
export class CallLog {
  readonly #startedAtMs = Date.now() - 2_000;
  #lines = 0;
  #parent: string | null = null;
  #call = "";

  constructor(private readonly path: string) {}

  prompt(content: string): void {
    this.#write({ type: "user", message: { role: "user", content } });
  }

  say(text: string): void {
    this.#assistant({ type: "text", text });
  }

  /** A call and its result; `error`: what it failed with. */
  read(file: string, error?: string): void {
    this.call(file);
    this.answer(error);
  }

  /** A call that has no result yet. */
  call(file: string): void {
    this.#call = `toolu_${this.#lines}`;
    this.#assistant({
      type: "tool_use",
      id: this.#call,
      name: "Read",
      input: { file_path: `/home/dev/shop/src/${file}` },
    });
  }

  /** The result of the last call. */
  answer(error?: string): void {
    const result = { type: "tool_result", tool_use_id: this.#call, content: error ?? "1\tconst a = 1;" };
    const content = [error === undefined ? result : { ...result, is_error: true }];
    this.#write({ type: "user", message: { role: "user", content } });
  }

  #assistant(block: Record<string, unknown>): void {
    const id = `msg_${this.#lines}`;
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = { id, role: "assistant", model: "claude-opus-5-5", content: [block], usage };
    this.#write({ type: "assistant", message });
  }

  #write(line: Record<string, unknown>): void {
    const uuid = `00000000-0000-4000-8000-${String(this.#lines).padStart(12, "0")}`;
    const timestamp = new Date(this.#startedAtMs + this.#lines * 10).toISOString();
    const common = { uuid, parentUuid: this.#parent, sessionId: "s", cwd: "/home/dev/shop", timestamp };
    appendFileSync(this.path, `${JSON.stringify({ ...common, version: "2.1.330", ...line })}\n`);
    this.#parent = uuid;
    this.#lines += 1;
  }
}
