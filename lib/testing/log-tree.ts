import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

type Line = Record<string, unknown> | string;
/** A path's lines are objects, or strings put down as they are. */
type Tree = Record<string, readonly Line[]>;

/** Writes a tree of logs for one test. */
export function makeTree(files: Tree): string {
  const root = writeTree(files);
  // What is under test may still be writing a file, which nobody waits for.
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));
  return root;
}

/** Writes a tree of logs for several tests, which remove it at their end. */
export function writeTree(files: Tree): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-")));
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), toText(lines));
  }
  return root;
}

/** Lines as a log holds them, each with its newline. */
export function toText(lines: readonly Line[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

/** A user line with a typed prompt. */
export function prompt(content: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: "user",
    uuid: `u-${content}`,
    cwd: "/home/dev/shop",
    timestamp: "2026-01-02T03:04:05.000Z",
    message: { role: "user", content },
    ...more,
  };
}

/** A line of an answer. */
export function answer(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const message = {
    id: `msg-${text}`,
    role: "assistant",
    model: "claude-x",
    content: [{ type: "text", text }],
  };
  return { type: "assistant", uuid: `a-${text}`, timestamp: "2026-01-02T03:04:06.000Z", message, ...more };
}

/** A UUID that ends in `n`. */
export function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}
