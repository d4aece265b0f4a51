import { appendFileSync } from "node:fs";

/** Writes a session's log line by line, as 2.1.330 does: prompts, answers, and calls with their results. */
export class CallLog {
  readonly #path: string;
  readonly #startedAtMs = Date.now() - 2_000;
  #lines = 0;
  #parent: string | null = null;
  #call = "";
  #held: string | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  prompt(content: string, fields: Record<string, unknown> = {}): void {
    this.#write({ type: "user", message: { role: "user", content }, ...fields });
  }

  say(text: string): void {
    this.#assistant({ type: "text", text });
  }

  /**
   * Writes a call and its result at once, so that the call is never seen running. `error`: the message of a failure.
   */
  read(file: string, error?: string): void {
    this.#held = "";
    this.call(file);
    this.answer(error);
    appendFileSync(this.#path, this.#held);
    this.#held = null;
  }

  /** An edit of one line of a file, with the patch and the original file that the client records. */
  edit(file: string, original: readonly string[], line: number, text: string): void {
    const filePath = `/home/dev/shop/src/${file}`;
    const old = original[line - 1] ?? "";
    this.call(file, "Edit", { old_string: old, new_string: text });
    const lines = [` ${original[line - 2]}`, `-${old}`, `+${text}`, ` ${original[line]}`];
    const hunk = { oldStart: line - 1, oldLines: 3, newStart: line - 1, newLines: 3, lines };
    this.answer(undefined, { filePath, originalFile: `${original.join("\n")}\n`, structuredPatch: [hunk] });
  }

  /** A call without a result so far. */
  call(file: string, name = "Read", input: Record<string, unknown> = {}): void {
    this.#call = `toolu_${this.#lines}`;
    const file_path = `/home/dev/shop/src/${file}`;
    this.#assistant({ type: "tool_use", id: this.#call, name, input: { file_path, ...input } });
  }

  /** The result of the last call. */
  answer(error?: string, toolUseResult?: Record<string, unknown>): void {
    const result = { type: "tool_result", tool_use_id: this.#call, content: error ?? "1\tconst a = 1;" };
    const content = [error === undefined ? result : { ...result, is_error: true }];
    this.#write({ type: "user", message: { role: "user", content }, toolUseResult });
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
    const written = `${JSON.stringify({ ...common, version: "2.1.330", ...line })}\n`;
    if (this.#held === null) appendFileSync(this.#path, written);
    else this.#held += written;
    this.#parent = uuid;
    this.#lines += 1;
  }
}
