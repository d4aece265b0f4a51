import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const LONG_SESSION = "10e60000-0000-4000-8000-000000000000";

/** A one-session log too large to be read at once: answers, one huge line, and answers after it. */
export class LongLog {
  readonly dir = mkdtempSync(join(tmpdir(), "backscroll-long-"));
  readonly #lines: string[] = [];
  readonly #startedAtMs = Date.now() - 10_000;
  #parent: string | null = null;

  prompt(text: string): string {
    return this.#add("user", { role: "user", content: text });
  }

  say(text: string): string {
    const content = [{ type: "text", text }];
    return this.#add("assistant", { id: `msg_${this.#lines.length}`, role: "assistant", content });
  }

  /** A call with a larger result than fits the beginning that is read first. */
  fill(megabytes = 12): string {
    const id = `toolu_${this.#lines.length}`;
    const content = [{ type: "tool_use", id, name: "Read", input: { file_path: "/home/dev/large.txt" } }];
    this.#add("assistant", { id: `msg_${this.#lines.length}`, role: "assistant", content });
    const result = { type: "tool_result", tool_use_id: id, content: "filled ".repeat(megabytes * 150_000) };
    return this.#add("user", { role: "user", content: [result] });
  }

  /** Continues after an earlier record, as a rewind does. */
  goBackTo(uuid: string): void {
    this.#parent = uuid;
  }

  save(): void {
    const path = join(this.dir, "projects", "-home-dev-shop", `${LONG_SESSION}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.#lines.join(""));
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  #add(type: "user" | "assistant", message: object): string {
    const at = this.#lines.length;
    const uuid = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
    const timestamp = new Date(this.#startedAtMs + at * 10).toISOString();
    const line = { type, uuid, parentUuid: this.#parent, timestamp, cwd: "/home/dev/shop", message };
    this.#lines.push(`${JSON.stringify({ ...line, sessionId: LONG_SESSION, version: "2.1.42" })}\n`);
    this.#parent = uuid;
    return uuid;
  }
}
