import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editCall, readCall, readImageCall, writeCall } from "./file-calls";
import { bytesLeft, type SessionContext } from "./session-context";
import { bashCall, globCall, grepCall, longBashCall, todoCall } from "./shell-calls";
import { plainCall, type ToolCall } from "./tool-results";

const AGENT_KINDS = ["general-purpose", "Explore", "Plan"];
/** What even a short agent takes: 2.1.330 opens each with a dozen lines of book-keeping. */
const AGENT_BYTES = { snapshots: 14_000, progress: 14_000, attachments: 34_000 };
const MEGABYTE = 1_000_000;

/** One call. `look` leaves out what changes files: recorded agents' lines hold no patches. */
export function chooseCall(context: SessionContext, purpose: "look" | "work"): ToolCall {
  const { random } = context;
  const roll = random.float();
  if (roll < 0.36) return bashCall(context);
  if (roll < 0.62) return readCall(context);
  if (roll < 0.72) return grepCall(context);
  if (roll < 0.76) return globCall(context);
  if (purpose === "look") return bashCall(context);
  if (roll < 0.92) return editCall(context);
  if (roll < 0.96) return writeCall(context);
  return todoCall(context);
}

/** The calls of one message: mostly one, sometimes several at once, now and then something very long. */
export function chooseCalls(context: SessionContext): ToolCall[] {
  const { random, plan } = context;
  if (context.hugeLinesLeft > 0 && bytesLeft(context) > 6 * MEGABYTE && random.chance(0.02)) {
    context.hugeLinesLeft--;
    return [
      random.chance(0.3) ? readImageCall(context, 560) : longBashCall(context, random.int(1, 2) * MEGABYTE),
    ];
  }
  if (
    context.agentsLeft > 0 &&
    bytesLeft(context) > AGENT_BYTES[context.dialect.extras] &&
    random.chance(agentChance(context))
  ) {
    const count = Math.min(
      context.agentsLeft,
      bytesLeft(context) > 200_000 && random.chance(0.4) ? random.int(2, 3) : 1,
    );
    context.agentsLeft -= count;
    return Array.from({ length: count }, () => agentCall(context));
  }
  if (plan.textScale >= 1 && bytesLeft(context) > MEGABYTE / 2 && random.chance(0.006)) {
    return [longBashCall(context, random.int(32_000, 90_000))];
  }
  if (bytesLeft(context) > 300_000 && random.chance(0.008))
    return [readImageCall(context, random.int(16, 60))];
  const count = random.chance(0.22) ? random.int(2, bytesLeft(context) > 60_000 ? 4 : 2) : 1;
  return Array.from({ length: count }, () => chooseCall(context, "work"));
}

// Spread over the session: an agent takes some 50 kB with what surrounds it.
function agentChance(context: SessionContext): number {
  const steps = Math.max(4, bytesLeft(context) / 8000);
  return Math.min(0.5, context.agentsLeft / steps);
}

function agentCall(context: SessionContext): ToolCall {
  const { random, prose, dialect } = context;
  const description = prose.sentence().slice(0, 32);
  const prompt = prose.sentences(Math.max(40, 400 * context.plan.textScale));
  const type = random.pick(AGENT_KINDS);
  const background = dialect.extras === "attachments" && random.chance(0.6);
  return {
    ...plainCall(dialect.agentTool, { description, prompt, subagent_type: type }, "", null),
    agent: { description, prompt, type, background },
  };
}

type LargeCalls = { id: string; firstPrompt: string };

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
