import type { SessionTruth } from "./truth";

// Reads generated files with nothing but JSON.parse, knowing nothing of how they were written.

type Block = { type: string; text?: string; name?: string; is_error?: boolean; content?: string | Block[] };
type Usage = Record<
  "input_tokens" | "output_tokens" | "cache_creation_input_tokens" | "cache_read_input_tokens",
  number
>;
type Line = {
  type: string;
  subtype?: string;
  parentUuid?: string;
  isMeta?: boolean;
  isCompactSummary?: boolean;
  operation?: string;
  content?: string;
  attachment?: { humanTurn?: boolean; prompt?: string };
  message?: { id: string; content: string | Block[]; usage: Usage };
  toolUseResult?: {
    type?: string;
    filePath: string;
    content?: string;
    structuredPatch?: { lines: string[] }[];
  };
};

/** The counts of a session's files, `[main log, agents' logs…]`, counted as `SessionTruth` says. */
export function recount(logs: readonly string[]) {
  const lines = logs.map((log) => log.split("\n").filter(Boolean));
  const parsed = lines.map((log) => log.map(parse));
  const records = parsed.flat().filter((line): line is Line => line !== null);
  const main = parsed[0]!.filter((line): line is Line => line !== null);
  const blocks = records.flatMap((line) => blocksOf(line));
  const results = blocks.filter((block) => block.type === "tool_result");
  const calls = blocks.filter((block) => block.type === "tool_use");
  const nested = results.flatMap((block) => (Array.isArray(block.content) ? block.content : []));
  return {
    records: records.length,
    unreadable: lines.flat().length - records.length,
    unknown: records.filter((line) => line.type === "weather-report").length,
    turns: main.filter(isHumanTurn).length + countQueued(main),
    messages: new Set(records.filter((line) => line.type === "assistant").map((line) => line.message?.id))
      .size,
    toolCalls: calls.length,
    toolCallsByName: tallyOf(calls.map((call) => call.name as string)),
    toolErrors: results.filter((result) => result.is_error === true).length,
    thinking: blocks.filter((block) => block.type === "thinking").length,
    images: [...blocks, ...nested].filter((block) => block.type === "image").length,
    compactions: records.filter((line) => line.subtype === "compact_boundary").length,
    branches: countBranches(main),
    agents: logs.length - 1,
    files: changesOf(records),
    usage: usageOf(records),
  };
}

function parse(line: string): Line | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function blocksOf(line: Line): Block[] {
  const content = line.message?.content;
  return Array.isArray(content) ? content : [];
}

function isHumanTurn(line: Line): boolean {
  if (line.attachment?.humanTurn === true) return true;
  if (line.type !== "user" || line.isMeta || line.isCompactSummary) return false;
  const content = line.message?.content;
  if (typeof content === "string") return !content.startsWith("<");
  const text = content?.[0]?.text;
  return text !== undefined && !text.startsWith("[Request interrupted");
}

function countQueued(main: readonly Line[]): number {
  const held = new Set(
    main.filter((line) => line.attachment?.humanTurn).map((line) => line.attachment?.prompt),
  );
  const texts = main.filter((line) => line.operation === "enqueue").map((line) => line.content as string);
  return texts.filter((text) => !text.startsWith("<") && !held.has(text)).length;
}

/** Human prompts that share their parent with another one are rewinds. */
function countBranches(main: readonly Line[]): number {
  const parents = main
    .filter((line) => line.type === "user" && isHumanTurn(line))
    .map((line) => line.parentUuid);
  return 1 + parents.length - new Set(parents).size;
}

function changesOf(records: readonly Line[]): SessionTruth["files"] {
  const files: SessionTruth["files"] = {};
  for (const { toolUseResult: result } of records) {
    if (!result?.structuredPatch) continue;
    const file = (files[result.filePath] ??= { added: 0, removed: 0, calls: 0 });
    const patch = result.structuredPatch.flatMap((hunk) => hunk.lines);
    file.added += patch.filter((line) => line[0] === "+").length;
    file.removed += patch.filter((line) => line[0] === "-").length;
    if (result.type === "create") file.added += (result.content ?? "").split("\n").length - 1;
    file.calls++;
  }
  return files;
}

function usageOf(records: readonly Line[]) {
  const largest = new Map<string, { input: number; output: number; cacheWrite: number; cacheRead: number }>();
  for (const { message, type } of records) {
    if (type !== "assistant" || !message) continue;
    const known = largest.get(message.id) ?? { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 };
    largest.set(message.id, {
      input: Math.max(known.input, message.usage.input_tokens),
      output: Math.max(known.output, message.usage.output_tokens),
      cacheWrite: Math.max(known.cacheWrite, message.usage.cache_creation_input_tokens),
      cacheRead: Math.max(known.cacheRead, message.usage.cache_read_input_tokens),
    });
  }
  const sum = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 };
  for (const usage of largest.values()) {
    for (const field of ["input", "output", "cacheWrite", "cacheRead"] as const) sum[field] += usage[field];
  }
  return sum;
}

function tallyOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
