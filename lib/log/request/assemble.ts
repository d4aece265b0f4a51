import { compareVersions } from "@/lib/format/text";
import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { CutAnswer } from "./cut-answer";
import { type SentMessage, sentBy, textBlock } from "./sent-message";
import { isAnswer, isApiError } from "./walk-chain";

/**
 * One record's part of a request. `record` is -1 for a message that the client sent and did not log; `client` the version
 * that sends it, "" where it is not known.
 */
export type SentPart = { record: number; message: SentMessage; client: string };

/** The records of a request, and what the client sent with it that they do not hold. */
export type RequestRecords = {
  table: SessionTable;
  /** The records of the request, complete and in the order sent. */
  sent: readonly number[];
  /** The answer that the request produced, or -1 where the request ends with the last record. */
  answer: number;
  /** The prompt that is missing in a sub-agent's file (2.0.42, 2.0.50). */
  opening: string | null;
  /** Texts from the queue that were sent with this request only (2.0.42–2.0.76). */
  queued: readonly string[];
  /** The answer in whose middle the client went on, `null` where it did not. */
  cut: CutAnswer | null;
};

/** The answer above, where its parts begin among those held back, while nothing else has been sent since. */
type AnswerAbove = Above & { message: number };

/**
 * Makes the parts of a request from its records, given one after another, before neighbours are merged. Holds back the
 * parts of one answer: what follows it can show that it was never part of the conversation.
 */
export class RequestAssembly {
  readonly #of: RequestRecords;
  readonly #cleared: number;
  readonly #client: string;
  #place = 0;
  #held: SentPart[] = [];
  #above: AnswerAbove | null = null;
  /** Ids of calls whose results the client left out and answered itself. */
  #unanswered: string[] = [];

  constructor(of: RequestRecords) {
    this.#of = of;
    this.#cleared = clearedBefore(of.table, of.sent);
    this.#client = clientOf(of);
    if (of.opening !== null) this.#sendUnlogged(of.opening);
  }

  /** The records in the order in which they are to be given. */
  get records(): readonly number[] {
    const { table, sent, answer } = this.#of;
    const ordered = mentionedFirst(table, sent);
    return answer === -1 ? ordered : [...ordered, answer];
  }

  /** Takes the next of the records, `null` where its line has no content to read; returns the parts that are final. */
  take(record: number, logged: SessionRecord | null): SentPart[] {
    const { table, answer, queued } = this.#of;
    const place = this.#place++;
    if (isApiError(table, record)) {
      if (this.#above) this.#above.apiErrorBetween = true;
      return this.#final();
    }
    const message = logged ? sentBy(logged, this.#client) : null;
    if (!isAnswer(table, record)) {
      this.#endCutAnswer(place);
      // 2.1.280: a notification that is sent as a reminder still separates two answers.
      if (logged?.kind === "user" || (message?.content.length ?? 0) > 0) this.#above = null;
      if (!message) return this.#final();
      const content = place < this.#cleared ? message.content.map(withoutMedia) : message.content;
      const final = this.#final();
      this.#held.push({ record, message: { ...message, content }, client: this.#client });
      return [...final, ...this.#final()];
    }
    const id = table.records.message.at(record);
    const final: SentPart[] = [];
    if (!this.#above || this.#above.message !== id) {
      const between = this.#above ? betweenAnswers(this.#above, logged) : null;
      if (between === "drop") this.#held = [];
      else if (between) this.#held.push({ record: -1, message: between, client: this.#client });
      else if (this.#above && record === answer) for (const text of queued) this.#sendUnlogged(text);
      this.#above = null;
      final.push(...this.#final());
      const firstText = firstTextOf(logged);
      this.#above = { message: id, firstText, stopReason: null, hasEnded: false, apiErrorBetween: false };
    }
    if (logged?.kind === "assistant") this.#above.stopReason = logged.stopReason ?? this.#above.stopReason;
    this.#above.hasEnded ||= hasEnded(logged);
    if (record !== answer && message) this.#held.push({ record, message, client: this.#client });
    this.#unanswered.push(...unansweredIds(logged, this.#of.cut?.unanswered.get(record)));
    return final;
  }

  /** Of an answer that was cut, a call without a result gets one of the client, and nothing but thoughts is not sent. */
  #endCutAnswer(place: number): void {
    if (this.#unanswered.length > 0)
      this.#held.push({
        record: -1,
        message: { role: "user", content: this.#unanswered.splice(0).map(missingResult) },
        client: this.#client,
      });
    if (place !== (this.#of.cut?.place ?? -2) + 1 || this.#above === null) return;
    if (this.#held.every(({ message }) => message.content.every(({ type }) => THOUGHTS.has(type))))
      this.#held = [];
  }

  /** What was held back: nothing follows. */
  rest(): SentPart[] {
    this.#above = null;
    return this.#final();
  }

  #sendUnlogged(text: string): void {
    const message: SentMessage = { role: "user", content: [textBlock(text)] };
    this.#held.push({ record: -1, message, client: this.#client });
  }

  #final(): SentPart[] {
    return this.#above ? [] : this.#held.splice(0);
  }
}

const THOUGHTS: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking"]);

function unansweredIds(logged: SessionRecord | null, indexes: readonly number[] = []): string[] {
  if (logged?.kind !== "assistant") return [];
  return indexes.flatMap((at) => {
    const block = logged.blocks[at];
    return block?.kind === "tool-use" && block.id !== null ? [block.id] : [];
  });
}

function missingResult(id: string): JsonObject {
  const content = "[Tool result missing due to internal error]";
  return { type: "tool_result", tool_use_id: id, content, is_error: true };
}

/** Records as they are sent: the files that a prompt mentions are logged behind it, and sent ahead of it. */
function mentionedFirst({ records, types }: SessionTable, sent: readonly number[]): readonly number[] {
  const type = types.list.indexOf("attachment/file");
  if (type === -1) return sent;
  const ordered: number[] = [];
  let promptAndRest: number[] = [];
  for (const record of sent) {
    const kind = records.kind.at(record);
    if (kind === RecordKind.attachment && promptAndRest.length > 0) {
      if (records.type.at(record) === type) ordered.push(record);
      else promptAndRest.push(record);
      continue;
    }
    for (const one of promptAndRest) ordered.push(one);
    promptAndRest = [];
    if (kind === RecordKind.prompt) promptAndRest.push(record);
    else ordered.push(record);
  }
  return [...ordered, ...promptAndRest];
}

/** The version of the client that made the request: of its answer's line, else of the last of its records that names one. */
function clientOf({ table: { records, versions }, sent, answer }: RequestRecords): string {
  const version = (record: number) => versions.at(records.version.at(record)) ?? "";
  if (answer !== -1) return version(answer);
  const last = sent.findLast((record) => version(record) !== "");
  return last === undefined ? "" : version(last);
}

/**
 * 2.1.42 replaces images older than a micro-compaction by a word: those of records before this place in what is sent. Its
 * own lists of what it cleared are empty.
 */
function clearedBefore({ records, types }: SessionTable, sent: readonly number[]): number {
  const type = types.list.indexOf("system/microcompact_boundary");
  return type === -1 ? -1 : sent.findLastIndex((record) => records.type.at(record) === type);
}

function withoutMedia(block: JsonObject): JsonObject {
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return wordOfMedia(block);
  return { ...block, content: block.content.map((one) => wordOfMedia(asObject(one) ?? one)) };
}

function wordOfMedia(block: JsonObject): JsonObject {
  return block.type === "image" || block.type === "document" ? textBlock(`[${block.type}]`) : block;
}

/**
 * Messages that the client sent and did not log. An answer directly below another one
 * shows that something was sent between them.
 */

/** 2.1.29, 2.1.42: after an answer that an API-error line ended. Only its beginning is known. */
const CUT_OFF = "Your response was cut off because it exceeded…";
/** 2.1.70 to 2.1.250: after an answer that reached its token limit. 2.1.300 logs it. Only its beginning is given. */
const LIMIT_HIT = "Output token limit hit. Resume directly…";
/** 2.1.250: after an answer whose stream broke off. 2.1.280 logs it. Only its beginning is given. */
const BROKE_OFF = "Your response above was cut off mid-stream. Resume directly…";

/**
 * The answer above, whether there is an API error between it and the next, and whether one of its lines says how it ended,
 * as far as its version says that (`hasEnded`).
 */
export type Above = {
  firstText: string;
  stopReason: string | null;
  hasEnded: boolean;
  apiErrorBetween: boolean;
};

/** What to do between two answers: drop the upper one (a retried message), insert a text, or nothing. */
function betweenAnswers(above: Above, next: SessionRecord | null): "drop" | SentMessage | null {
  const firstText = firstTextOf(next);
  // 2.1.29, 2.1.42: a broken stream is retried, and the first attempt stays in the log.
  if (firstText !== "" && firstText === above.firstText) return "drop";
  if (above.apiErrorBetween) return { role: "user", content: [textBlock(CUT_OFF)] };
  if (above.stopReason === "max_tokens") return { role: "user", content: [textBlock(LIMIT_HIT)] };
  if (above.stopReason !== null && !above.hasEnded && hasEnded(next))
    return { role: "user", content: [textBlock(BROKE_OFF)] };
  return null;
}

/**
 * Whether an answer's line has what the end of a stream brings. From 2.1.140 on each has `stop_details`, but of a stream
 * that broke off; older ones have it nowhere, so it counts beside an answer that has it.
 */
function hasEnded(record: SessionRecord | null): boolean {
  return record?.kind === "assistant" && asObject(record.json.message)?.stop_details !== undefined;
}

/** The first text of an answer's line, "" if it has none. */
function firstTextOf(record: SessionRecord | null): string {
  if (record?.kind !== "assistant") return "";
  return record.blocks.find((block) => block.kind === "text")?.text ?? "";
}

/** A message of a request and the records it was made from, each listed once. */
export type MergedMessage = { message: SentMessage; records: number[] };

/** The first version that ends a text with a newline where it merges the next one with it (2.1.77 does not). */
const NEWLINE_SINCE = "2.1.78";

/**
 * Merges neighbours of one role, given one after another. In a user message results come first, as the API requires, and
 * a text that the next message follows with another one ends with a newline (2.1.78 and later).
 */
export class PartMerging {
  #last: { message: SentMessage; records: Set<number> } | null = null;

  /** Takes the next part; returns the message before it where that is complete. */
  take({ record, message, client }: SentPart): MergedMessage | null {
    if (message.content.length === 0) return null;
    let complete: MergedMessage | null = null;
    if (this.#last?.message.role !== message.role) {
      complete = this.rest();
      this.#last = { message: { role: message.role, content: [] }, records: new Set() };
    }
    addBlocks(this.#last.message, message.content, client);
    if (record !== -1) this.#last.records.add(record);
    return complete;
  }

  /** The last message, `null` if there is none: nothing follows. */
  rest(): MergedMessage | null {
    if (!this.#last) return null;
    const { message, records } = this.#last;
    this.#last = null;
    const { role, content } = message;
    const isResult = (block: SentMessage["content"][number]) => block.type === "tool_result";
    const ordered =
      role === "user"
        ? [...content.filter(isResult), ...content.filter((block) => !isResult(block))]
        : content;
    return { message: { role, content: ordered }, records: [...records] };
  }
}

/** Adds the blocks of the next message to those of one of the same role, as this version of the client merges the two. */
export function addBlocks({ role, content }: SentMessage, next: readonly JsonObject[], client: string): void {
  const above = content.at(-1);
  const isJoined = role === "user" && above?.type === "text" && next[0]?.type === "text";
  if (isJoined && client !== "" && compareVersions(client, NEWLINE_SINCE) >= 0)
    content[content.length - 1] = { ...above, text: `${asString(above.text) ?? ""}\n` };
  for (const block of next) content.push(block);
}

/** The version of the client that wrote a session's last line that names one; "" for none. */
export function lastClient({ records, versions }: SessionTable): string {
  for (let record = records.size - 1; record >= 0; record--) {
    const version = versions.at(records.version.at(record));
    if (version) return version;
  }
  return "";
}

/** The messages of these parts, merged as by `PartMerging`. */
export function mergeParts(parts: readonly SentPart[]): MergedMessage[] {
  const merging = new PartMerging();
  const merged = [...parts.map((part) => merging.take(part)), merging.rest()];
  return merged.filter((one) => one !== null);
}
