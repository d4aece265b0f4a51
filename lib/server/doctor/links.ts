import type { ReadableRecord } from "@/lib/log/records/session-record";
import { HashIndex } from "@/lib/log/table/hash-index";
import type { DoctorFinding } from "@/lib/wire/doctor";

const NONE = -1;

type Position = { file: number; offset: number; length: number; line: number };
type Report = (rule: DoctorRule, position: Position, note: string) => void;
type Named = { position: Position; id: string };

/**
 * The references between the records of a session: parents, uuids, calls and results. Ids are stored as
 * numbers; names and positions only where they may have to be reported.
 */
export class Links {
  readonly #uuids = new HashIndex();
  /** By uuid: the number of its records, and the uuid of its parent. */
  readonly #counts: number[] = [];
  readonly #parentOf: number[] = [];
  /** By uuid, four numbers each: the position of its first record. */
  readonly #positions: number[] = [];
  readonly #twice: Named[] = [];
  readonly #dangling: Named[] = [];
  readonly #boundaries: Named[] = [];
  readonly #callIds = new HashIndex();
  readonly #calls = new Map<number, Named>();
  readonly #results = new Map<number, { count: number; first: Named; early: boolean }>();
  readonly #nameless: Position[] = [];

  /** Adds a record of the session, whose files are added one after the other, each in the order of its lines. */
  addRecord(file: number, { at, uuid, parentUuid, logicalParentUuid }: ReadableRecord): void {
    const position = { file, ...at };
    if (logicalParentUuid !== null && !this.#has(logicalParentUuid))
      this.#boundaries.push({ position, id: logicalParentUuid });
    if (parentUuid !== null && !this.#has(parentUuid)) this.#dangling.push({ position, id: parentUuid });
    if (uuid === null) return;
    const key = this.#uuids.intern(uuid);
    const count = (this.#counts[key] ?? 0) + 1;
    this.#counts[key] = count;
    if (count > 1) {
      this.#twice.push({ position, id: uuid });
      return;
    }
    this.#parentOf[key] = parentUuid === null ? NONE : this.#uuids.intern(parentUuid);
    [at.offset, at.length, at.line].forEach((value, index) => {
      this.#positions[key * 4 + 1 + index] = value;
    });
    this.#positions[key * 4] = file;
  }

  /** Adds a call of a record; one without an id has no result to be missed. */
  addCall(file: number, { at }: ReadableRecord, id: string | null): void {
    if (id === null) return;
    const key = this.#callIds.intern(id);
    if (!this.#calls.has(key)) this.#calls.set(key, { position: { file, ...at }, id });
  }

  /**
   * Adds a result of a record. One whose call is added later is reported as too early.
   * @param id of its call; null where it names none
   */
  addResult(file: number, { at }: ReadableRecord, id: string | null): void {
    const position = { file, ...at };
    if (id === null) {
      this.#nameless.push(position);
      return;
    }
    const key = this.#callIds.intern(id);
    const known = this.#results.get(key);
    if (known) known.count += 1;
    else this.#results.set(key, { count: 1, first: { position, id }, early: !this.#calls.has(key) });
  }

  /** Reports the violations, once every record has been added. */
  report(report: Report): void {
    for (const { position, id } of this.#twice) report("duplicate-uuid", position, id);
    for (const { position, id } of this.#dangling)
      if (!this.#has(id)) report("dangling-parent", position, id);
    this.#reportCycles(report);
    for (const { position, id } of this.#boundaries)
      if (!this.#has(id)) report("dangling-boundary", position, id);
    for (const position of this.#nameless) report("result-without-call", position, "no tool_use_id");
    for (const [key, { count, first, early }] of this.#results) {
      if (!this.#calls.has(key)) report("result-without-call", first.position, first.id);
      else if (early) report("result-before-call", first.position, first.id);
      if (count > 1) report("several-results", first.position, `${first.id}: ${count} results`);
    }
    for (const [key, { position, id }] of this.#calls)
      if (!this.#results.has(key)) report("call-without-result", position, id);
  }

  #has(uuid: string): boolean {
    const key = this.#uuids.find(uuid);
    return key !== NONE && this.#counts[key] !== undefined;
  }

  /** Reports each cycle of parents once, at one of its records. */
  #reportCycles(report: Report): void {
    const mark = new Int32Array(this.#uuids.size);
    for (let start = 0; start < this.#uuids.size; start++) {
      let key = start;
      while (key !== NONE && mark[key] === 0) {
        mark[key] = start + 1;
        key = this.#parentOf[key] ?? NONE;
      }
      if (key !== NONE && mark[key] === start + 1) this.#reportRing(report, key);
    }
  }

  #reportRing(report: Report, key: number): void {
    let records = 1;
    for (let at = this.#parentOf[key]; at !== undefined && at !== key && at !== NONE; at = this.#parentOf[at])
      records += 1;
    const [file = 0, offset = 0, length = 0, line = 0] = this.#positions.slice(key * 4, key * 4 + 4);
    report(
      "parent-cycle",
      { file, offset, length, line },
      records === 1 ? "its own parent" : `a ring of ${records} records`,
    );
  }
}

/**
 * Everything that the doctor checks, in the order of its report. The second group are the validation
 * rules of the format's oldest description; where current clients break one, the title is worded neutrally.
 */
export const DOCTOR_RULES = {
  unreadable: ["error", "Unreadable bytes"],
  salvaged: ["warning", "Records saved from damaged lines"],
  "unfinished-line": ["info", "Files whose last line has no newline"],
  "invalid-utf8": ["warning", "Lines that are not valid UTF-8"],
  "lone-surrogate": ["info", "Lines with half a surrogate pair"],
  "byte-order-mark": ["info", "Files that start with a byte order mark"],
  "carriage-return": ["info", "Lines that end in CR LF"],
  deep: ["warning", "Lines nested deeper than 256 levels"],
  "unknown-type": ["warning", "Records of a type that is not known"],
  "unknown-block": ["warning", "Content blocks of a type that is not known"],
  "required-fields": ["warning", "Messages without a required field"],
  "wrong-type": ["warning", "Fields of another type than they should have"],
  "duplicate-uuid": ["warning", "UUIDs that occur twice in a session"],
  "dangling-parent": ["warning", "Parents that are not in the session"],
  "parent-cycle": ["error", "Parents that lead back to their child"],
  "dangling-boundary": ["info", "Compactions whose last message is not in the session"],
  "result-without-call": ["warning", "Results whose call is not in the session"],
  "result-before-call": ["info", "Results that come before their call"],
  "call-without-result": ["info", "Calls without a result"],
  "several-results": ["info", "Calls with more than one result"],
  "sidechain-mark": ["warning", "Lines of an agent's file that are not marked as a sidechain"],
  "content-shape": ["warning", "Messages whose content is neither text nor blocks"],
  "image-encoding": ["warning", "Images that are not base64 of a known type"],
} as const satisfies Record<string, readonly [DoctorFinding["level"], string]>;

export type DoctorRule = keyof typeof DOCTOR_RULES;
