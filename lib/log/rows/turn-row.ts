import { formatCount } from "@/lib/format/format";
import { firstWords, titleOfPrompt } from "@/lib/format/text";
import { typedText } from "@/lib/log/adding/user-text";
import { turnUsage } from "@/lib/log/graph/session-cost";
import { turnMs } from "@/lib/log/graph/session-graph";
import { asArray, asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { BlockKind, Level, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { formatRowKey } from "@/lib/wire/ids";
import type { PromptSource, TurnRow } from "@/lib/wire/rows";
import { blobRefs } from "./blob-refs";
import { describeTodos } from "./calls/describe-others";
import { cutText, longestOf, type RowContext, recordIdOf, rowBase, turnAt } from "./row-context";

const MAX_PROMPT = 4_000;
const MAX_ANSWER = 160;

/** The record with a turn's prompt: the queued line where the prompt is only in the queue. */
export function promptRecord({ graph }: Pick<RowContext, "graph">, record: number): number {
  return graph.queuedTurns.get(record) ?? record;
}

/** The text of a prompt, whichever kind of record contains it; empty for anything else. */
export function promptOf(record: SessionRecord | null): string {
  switch (record?.kind) {
    case "user":
      return record.blocks
        .map((block) => (block.kind === "text" ? block.text : ""))
        .filter(Boolean)
        .join("\n\n");
    case "attachment":
      return textOf(record.attachment.prompt);
    case "metadata":
      return textOf(record.json.content);
    default:
      return "";
  }
}

/** The typed part of a prompt; if nothing was typed, what was injected around it. */
export function typedPrompt(record: SessionRecord | null): string {
  const text = promptOf(record);
  return record?.kind === "user" ? typedText(text) || text : text;
}

/** A one-line title of a prompt. */
export function promptTitle(record: SessionRecord | null): string {
  return titleOfPrompt(typedPrompt(record));
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return asArray(value)
    .map((block) => asString(asObject(block)?.text) ?? "")
    .filter(Boolean)
    .join("\n\n");
}

/** The last text block of a turn, -1 if the model wrote none: the part of the answer that a folded turn shows. */
export function answerRecord({ table, path }: RowContext, turn: number): number {
  const from = turnAt(path, turn).from;
  const to = path.turns[turn + 1]?.from ?? path.records.length;
  for (let i = to - 1; i > from; i--) {
    const record = at(path.records, i);
    if (table.records.kind.at(record) !== RecordKind.assistant) continue;
    for (const block of blocksOf(table, record)) {
      if (
        table.blocks.kind.at(block) === BlockKind.text &&
        table.blocks.level.at(block) === Level.conversation
      )
        return record;
    }
  }
  return -1;
}

/** The row of the prompt that starts turn `number`, with the facts of everything up to the next one. */
export function turnRow(context: RowContext, record: number, number: number): TurnRow {
  const turn = turnAt(context.path, number);
  const source = promptRecord(context, record);
  const logged = context.read(source);
  const folded = context.folds.has(number);
  const base = rowBase(context, record, 0, number);
  const tookMs = turnMs(turn);
  const durationMs = Number.isNaN(tookMs) ? null : tookMs;
  const { table, graph, path, prices } = context;
  const { own, agents } = turnUsage(table, graph, path, number, prices);
  return {
    kind: "turn",
    ...base,
    ...(source === record ? {} : { shows: [formatRowKey(recordIdOf(context, source), 0)] }),
    durationMs,
    span: null,
    prompt: cutText(typedPrompt(logged), MAX_PROMPT, longestOf(logged)),
    source: sourceOf(logged, source !== record),
    blobs: blobRefs(logged, recordIdOf(context, source), null),
    folded,
    answer: folded ? answerPreview(context, number) : null,
    toolCalls: turn.toolCalls,
    errors: turn.errors,
    denied: turn.denied,
    added: turn.added,
    removed: turn.removed,
    agents: turn.agents,
    tokens: turn.tokens,
    usage: own,
    agentsUsage: agents,
    running: false,
    ...(graph.takenBack.has(record) && { takenBack: true as const }),
    ...settingsOfTurn(context, number, logged),
  };
}

/** The nearest earlier prompt that has a line of its own, -1 for none. A queued line has no settings. */
export function promptBefore({ graph, path }: RowContext, turn: number): number {
  for (let before = turn - 1; before > 0; before--) {
    const { record } = turnAt(path, before);
    if (!graph.queuedTurns.has(record)) return record;
  }
  return -1;
}

/** The settings recorded with the prompt, and whether its mode differs from that of the previous prompt. */
function settingsOfTurn(
  context: RowContext,
  number: number,
  logged: SessionRecord | null,
): Pick<TurnRow, "settings" | "settingsChanged"> {
  const own = jsonOf(logged);
  const settings = own ? promptSettings(own) : {};
  const before = promptBefore(context, number);
  const earlier = jsonOf(before === -1 ? null : context.read(before));
  if (!own || !earlier) return { settings, settingsChanged: true };
  const { permissions, thinking } = promptSettings(earlier);
  // Shown where it ends another mode, which would otherwise seem to continue.
  if (permissions && own.permissionMode === "default") settings.permissions = "default";
  const sameThinking = (settings.thinking === undefined) === (thinking === undefined);
  return { settings, settingsChanged: settings.permissions !== permissions || !sameThinking };
}

function jsonOf(record: SessionRecord | null): JsonObject | null {
  return record && record.kind !== "unreadable" ? record.json : null;
}

function answerPreview(context: RowContext, number: number): string | null {
  const record = answerRecord(context, number);
  const logged = record === -1 ? null : context.read(record);
  if (logged?.kind !== "assistant") return null;
  const text = logged.blocks.find((block) => block.kind === "text");
  return text ? firstWords(text.text, MAX_ANSWER) : null;
}

function sourceOf(record: SessionRecord | null, queued: boolean): PromptSource {
  if (queued || record?.kind === "attachment") return "queued";
  if (record?.kind !== "user") return "unknown";
  if (record.isSidechain) return "agent";
  // 2.1.29 and 2.1.42: "clear context and implement plan" starts a session with the plan as its prompt.
  if (record.json.planContent !== undefined) return "plan";
  return record.json.promptSource === "sdk" ? "sdk" : "typed";
}

/**
 * The settings that the client recorded with a prompt, as text: thinking (1.0.128 and 2.0: a level; 2.1.29, 2.1.42:
 * a budget), the todo list (2.0.50–2.1.42), plan name (2.0.76), permission mode (2.1.29), effort
 * (2.1.330). Defaults are left out.
 */
export function promptSettings(json: JsonObject): Record<string, string> {
  const settings: Record<string, string> = {};
  const mode = asString(json.permissionMode);
  if (mode && mode !== "default") settings.permissions = mode;
  const slug = asString(json.slug);
  if (slug) settings.plan = slug;
  const thinking = formatThinking(asObject(json.thinkingMetadata));
  if (thinking) settings.thinking = thinking;
  const effort = asString(json.effort);
  if (effort) settings.effort = effort;
  const todos = asArray(json.todos);
  if (todos.length > 0) {
    const { subject, aside } = describeTodos({ ...NO_CALL, input: { todos } });
    settings["to do"] = aside ? `${subject}, ${aside}` : subject;
  }
  return settings;
}

const NO_CALL = { name: "", cwd: null, isError: false, text: null, isCut: false, result: null };

function formatThinking(thinking: JsonObject | null): string | null {
  if (!thinking || thinking.disabled === true) return null;
  const level = asString(thinking.level);
  if (level) return level === "none" ? null : level;
  const budget = asNumber(thinking.maxThinkingTokens);
  return budget === null || budget === 0 ? null : `up to ${formatCount(budget)} tokens`;
}
