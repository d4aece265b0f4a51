import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type LargeCalls = { id: string; firstPrompt: string };

const ID = "5b1e7a52-0000-4000-8000-00000000b19d";
const CHANGED_LINES = 1_000;
const OUTPUT_BYTES = 1_000_000;

/** A session with one edit of 2,000 changed lines and one command that printed 1 MB, colours included. */
export function writeLargeCalls(dir: string): LargeCalls {
  const folder = join(dir, "projects", "-home-dev-large");
  mkdirSync(folder, { recursive: true });
  const firstPrompt = "Change every line of the table, then print it";
  const lines: string[] = [];
  let parent: string | null = null;
  const add = (fields: Record<string, unknown>) => {
    const uuid = `${ID.slice(0, 24)}${String(lines.length).padStart(12, "0")}`;
    const timestamp = new Date(1_795_000_000_000 + lines.length * 1000).toISOString();
    const base = {
      parentUuid: parent,
      isSidechain: false,
      cwd: "/home/dev/large",
      version: "2.1.330",
      sessionId: ID,
    };
    lines.push(JSON.stringify({ ...base, uuid, timestamp, ...fields }));
    parent = uuid;
  };
  const call = (name: string, input: object, text: string, toolUseResult: object) => {
    const id = `toolu_large_${lines.length}`;
    const content = [{ type: "tool_use", id, name, input }];
    add({ type: "assistant", message: { id: `msg_${id}`, role: "assistant", model: "m", content } });
    const result = [{ type: "tool_result", tool_use_id: id, content: text }];
    add({ type: "user", message: { role: "user", content: result }, toolUseResult });
  };
  add({ type: "user", message: { role: "user", content: firstPrompt } });
  call("Edit", { file_path: "/home/dev/large/table.ts" }, "done", {
    filePath: "/home/dev/large/table.ts",
    oldString: "",
    newString: "",
    originalFile: null,
    structuredPatch: [largeHunk()],
  });
  const output = largeOutput();
  call("Bash", { command: "npm run print-table" }, output, { stdout: output, stderr: "" });
  writeFileSync(join(folder, `${ID}.jsonl`), `${lines.join("\n")}\n`);
  return { id: ID, firstPrompt };
}

function largeHunk(): object {
  const lines = Array.from({ length: CHANGED_LINES }, (_, i) => [
    `-  export const value${i} = computeValue("before", ${i}, { retries: ${i % 5} });`,
    `+  export const value${i} = computeValue("after", ${i}, { retries: ${i % 7}, wait: true });`,
  ]).flat();
  return { oldStart: 1, oldLines: CHANGED_LINES, newStart: 1, newLines: CHANGED_LINES, lines };
}

function largeOutput(): string {
  const lines: string[] = [];
  for (let bytes = 0; bytes < OUTPUT_BYTES; bytes += (lines.at(-1)?.length ?? 0) + 1) {
    const i = lines.length;
    lines.push(
      `\u001b[32m✓\u001b[0m row ${i} \u001b[2mof the table\u001b[0m ${"value ".repeat(i % 13)}${i * 7919}`,
    );
  }
  return lines.join("\n");
}
