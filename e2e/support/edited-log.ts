import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const EDITED_SESSION = "ed170000-0000-4000-8000-000000000000";

type Edited = {
  /** What stands above and below the file's lines. */
  around?: readonly [string, string];
  session?: string;
  path?: string;
};

/** A log of a session that writes a file and then changes a line of it again and again, so many versions in all. */
export class EditedLog {
  readonly dir = mkdtempSync(join(tmpdir(), "backscroll-edited-"));
  readonly #lines: string[] = [];
  readonly #startedAtMs = Date.now() - 600_000;
  readonly #session: string;
  #parent: string | null = null;

  constructor(
    versions: number,
    { around, session = EDITED_SESSION, path = "/home/dev/shop/src/cart.ts" }: Edited = {},
  ) {
    this.#session = session;
    const text = Array.from({ length: 50 }, (_, at) => `const value${at} = ${at};`);
    if (around) text.splice(0, text.length, around[0], ...text.slice(1, -1), around[1]);
    this.#add("user", { role: "user", content: "Work on the cart" });
    const content = text.join("\n");
    const created = { type: "create", filePath: path, content, structuredPatch: [] };
    this.#call("Write", { file_path: path, content }, created);
    for (let version = 1; version < versions; version++) {
      const at = (version * 7) % text.length;
      const [was = "", is] = [text[at], `const value${at} = ${version} * 2;`];
      const originalFile = text.join("\n");
      text[at] = is;
      const lines = [`-${was}`, `+${is}`];
      const structuredPatch = [{ oldStart: at + 1, oldLines: 1, newStart: at + 1, newLines: 1, lines }];
      const done = { filePath: path, oldString: was, newString: is, originalFile, structuredPatch };
      this.#call("Edit", { file_path: path, old_string: was, new_string: is }, done);
    }
    const folder = join(this.dir, "projects", "-home-dev-shop");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${session}.jsonl`), this.#lines.join(""));
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  #call(name: string, input: object, toolUseResult: object): void {
    const id = `toolu_${this.#lines.length}`;
    const content = [{ type: "tool_use", id, name, input }];
    this.#add("assistant", { id: `msg_${this.#lines.length}`, role: "assistant", content });
    const result = [{ type: "tool_result", tool_use_id: id, content: "done" }];
    this.#add("user", { role: "user", content: result }, { toolUseResult });
  }

  #add(type: "user" | "assistant", message: object, more: object = {}): void {
    const at = this.#lines.length;
    const uuid = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
    const timestamp = new Date(this.#startedAtMs + at * 1000).toISOString();
    const line = { type, uuid, parentUuid: this.#parent, timestamp, cwd: "/home/dev/shop", message, ...more };
    this.#lines.push(`${JSON.stringify({ ...line, sessionId: this.#session, version: "2.1.42" })}\n`);
    this.#parent = uuid;
  }
}
