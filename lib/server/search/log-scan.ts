import { addTo } from "@/lib/format/lists";
import { asString, type JsonObject } from "@/lib/log/records/json";
import { parseLine } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { type QueueText, queuedTextOf, type RecordText, recordTexts } from "@/lib/server/index/record-texts";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { formatRecordId, parseRecordId, type RecordId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import { type CandidateLine, scanCandidates } from "./candidate-lines";
import { repeatedLines, type SearchSource, waitingLines } from "./sources";
import { StepPace } from "./step-pace";
import type { TextMatcher } from "./text-matcher";

type DeepScope = {
  source: SearchSource;
  /** Matches the candidate lines; null for all lines. */
  pattern: RegExp | null;
  /** Only the texts that the index would contain. */
  conversationOnly: boolean;
};

type DeepStep = { hits: SearchHit[]; bytesRead: number; fileDone: boolean };

/**
 * Searches a session's logs for what the index does not contain: tool output and the other fields of each line, and
 * everything written after the indexed part. A log that is gone or unreadable yields nothing.
 */
export function* scanLogs(
  scope: DeepScope,
  matcher: TextMatcher,
  calls: () => CallLookup | null,
): Generator<DeepStep> {
  const { source, pattern } = scope;
  const slugs = new Set<string>();
  for (const file of source.files) {
    let read = 0;
    const log = new LogSearch(scope, file, matcher, calls, slugs);
    const pace = new StepPace();
    try {
      for (const { lines, bytesRead } of scanCandidates(source.root, file.path, pattern)) {
        read += bytesRead;
        const hits: SearchHit[] = [];
        let own = lines;
        for (let at = 0; at < lines.length; at++) {
          if (pace.isOver()) {
            // Another search may read into the same memory meanwhile.
            if (own === lines) own = lines.map(copyOf);
            yield { hits: hits.splice(0), bytesRead: 0, fileDone: false };
          }
          hits.push(...log.hitsIn(own[at] as CandidateLine));
        }
        yield { hits, bytesRead, fileDone: false };
      }
    } catch (error) {
      if (!isViewerError(error)) throw error;
    }
    yield { hits: log.heldHits(), bytesRead: Math.max(0, file.bytes - read), fileDone: true };
  }
}

function copyOf({ bytes, offset }: CandidateLine): CandidateLine {
  return { bytes: new Uint8Array(bytes), offset };
}

/** The search of one log: what its lines had decides whether what a later one has is reported. */
class LogSearch {
  readonly #scope: DeepScope;
  readonly #file: SearchSource["files"][number];
  readonly #matcher: TextMatcher;
  readonly #calls: () => CallLookup | null;
  /** Texts that are repeated on every line (folder, branch, version): each is reported once. */
  readonly #seen = new Set<string>();
  /** Names of plans, of all logs of the session so far. */
  readonly #slugs: Set<string>;
  readonly #queue: HeldHits;

  constructor(
    scope: DeepScope,
    file: SearchSource["files"][number],
    matcher: TextMatcher,
    calls: () => CallLookup | null,
    slugs: Set<string>,
  ) {
    this.#slugs = slugs;
    this.#scope = scope;
    this.#file = file;
    this.#matcher = matcher;
    this.#calls = calls;
    this.#queue = new HeldHits(scope.source, file);
  }

  /** The hits of the next line, without those that wait for what is logged behind it. */
  hitsIn({ bytes, offset }: CandidateLine): SearchHit[] {
    const hits: SearchHit[] = [];
    for (const record of parseLine({ bytes, offset, length: bytes.length, line: 0 }))
      hits.push(...this.#hitsOf(record, [...this.#newSlugOf(record), ...textsOf(record, bytes, offset)]));
    return hits;
  }

  /** The name of a plan where the first line has it, which is a title, as the index has it. */
  #newSlugOf(record: SessionRecord): RecordText[] {
    const slug = record.kind === "unreadable" ? null : asString(record.json.slug);
    if (!slug || this.#slugs.has(slug)) return [];
    this.#slugs.add(slug);
    return [{ block: 0, field: "title", text: slug, indexed: true, tool: null }];
  }

  /** At the end of the log: the hits that waited, and that nothing behind them repeats. */
  heldHits(): SearchHit[] {
    return this.#queue.hits();
  }

  #hitsOf(record: SessionRecord, texts: readonly RecordText[]): SearchHit[] {
    const file = this.#file;
    const matcher = this.#matcher;
    const { source, conversationOnly } = this.#scope;
    const queued = record.kind === "unreadable" ? null : queuedTextOf(record);
    const isReport = queued?.waits === true && queued.by === "text";
    const isIndexed =
      record.at.offset < (source.indexed.get(file.key) ?? 0) &&
      !(queued?.waits && this.#queue.mayGoOn(record.at.offset));
    const found = new Set<string>();
    /** The texts of a field, if expressions are to be marked: one hit represents all of them. */
    const textsOfKey = new Map<string, string[]>();
    const own: { hit: SearchHit; isHeld: boolean }[] = [];
    const lineFields = isReport && record.kind !== "unreadable" ? fieldsBesideContent(record.json) : null;
    for (const { block, field, tool, text, indexed } of texts) {
      if (indexed ? isIndexed : conversationOnly) continue;
      // What a line in the queue says of itself, such as its time, no other line repeats.
      const isOfLine = field === "meta" && lineFields?.has(text) === true;
      const place = `${record.at.offset} ${block} ${field}`;
      const key = isOfLine ? `${place} of the line` : place;
      if (matcher.tellsFound) addTo(textsOfKey, place, text);
      if (found.has(key)) continue; // a result is logged twice: as the model saw it and in parts
      const atMs = record.kind === "unreadable" ? null : record.atMs;
      const location = {
        file: file.key,
        agentId: file.agentId,
        sidechain: record.kind !== "unreadable" && record.isSidechain,
        offset: record.at.offset,
        block,
        field,
        atMs,
        tool,
      };
      // The text first: behind a spread in front it costs half the time of a scan (Node 20).
      const hit = matcher.match(source, { text, ...location }, this.#calls);
      if (!hit || (field === "meta" && this.#seen.has(text))) continue;
      if (field === "meta" && (!isReport || isOfLine)) this.#seen.add(text);
      found.add(key);
      own.push({ hit, isHeld: queued?.waits === true && (isReport ? !isOfLine : field !== "meta") });
    }
    const free = own.filter(({ isHeld }) => !isHeld).map(({ hit }) => hit);
    const held = own
      .filter(({ isHeld, hit }) => isHeld && !free.some((one) => isAtSamePlace(one, hit)))
      .map(({ hit }) => hit);
    const marked = (list: SearchHit[]) =>
      matcher.tellsFound ? list.map((hit) => withFound(hit, matcher, textsOfKey)) : list;
    if (queued?.waits) this.#queue.hold(record.at.offset, queued, marked(held));
    else if (queued) this.#queue.deliver(record.at.offset, queued);
    return marked(free);
  }
}

/** The strings of a line in the queue beside what it queues. */
function fieldsBesideContent(json: JsonObject): ReadonlySet<string> {
  return new Set(
    Object.entries(json).flatMap(([name, value]) =>
      name !== "content" && typeof value === "string" ? [value] : [],
    ),
  );
}

function isAtSamePlace(one: SearchHit, other: SearchHit): boolean {
  return one.recordId === other.recordId && one.block === other.block && one.field === other.field;
}

function withFound(hit: SearchHit, matcher: TextMatcher, textsOfKey: Map<string, string[]>): SearchHit {
  const { offset } = parseRecordId(hit.recordId);
  const texts = matcher.foundIn(textsOfKey.get(`${offset} ${hit.block} ${hit.field}`) ?? []);
  return texts.length > 0 ? { ...hit, found: texts } : hit;
}

/**
 * Hits in the queue of a log: they count only if the log ends without another line with the same text. That line
 * matches the query as they do, so the search reads it too.
 */
class HeldHits {
  readonly #held = new Map<string, SearchHit[][]>();
  readonly #key: string;
  readonly #scanned: number;
  readonly #repeats: ReadonlySet<RecordId>;
  readonly #waiting: ReadonlySet<RecordId>;

  constructor(source: SearchSource, { key }: SearchSource["files"][number]) {
    this.#key = key;
    this.#scanned = source.scanned.get(key) ?? 0;
    this.#repeats = new Set(repeatedLines(source));
    this.#waiting = waitingLines(source);
  }

  /** Whether the index left this text to the search of the log's rest. */
  mayGoOn(offset: number): boolean {
    return this.#waiting.has(formatRecordId(this.#key, offset));
  }

  hold(offset: number, { text, by }: QueueText, hits: readonly SearchHit[]): void {
    if (hits.length === 0 || this.#repeats.has(formatRecordId(this.#key, offset))) return;
    // A prompt that has no line of its own (2.0.42–2.1.42) stays, even if the same is typed again.
    const isSettled = by === "place" && offset < this.#scanned && !this.mayGoOn(offset);
    const key = isSettled ? `${offset} ${text}` : text;
    const same = this.#held.get(key);
    if (!same) this.#held.set(key, [[...hits]]);
    else if (by === "place") same.push([...hits]);
  }

  deliver(offset: number, { text, by }: QueueText): void {
    // The scanned line of a prompt belongs to a queued prompt that is already known as repeated.
    if (by === "place" && offset < this.#scanned) return;
    const same = this.#held.get(text);
    same?.shift();
    if (same?.length === 0) this.#held.delete(text);
  }

  hits(): SearchHit[] {
    return [...this.#held.values()].flat(2);
  }
}

function textsOf(record: SessionRecord, bytes: Uint8Array, offset: number): RecordText[] {
  if (record.kind !== "unreadable") return recordTexts(record);
  const from = record.at.offset - offset;
  const text = new TextDecoder().decode(bytes.subarray(from, from + record.at.length));
  return [{ block: 0, field: "raw", text, indexed: false, tool: null }];
}
