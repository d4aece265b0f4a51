import { compactionBefore } from "@/lib/log/adding/summary-boundary";
import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at, withCapacity } from "@/lib/log/table/table";
import { isAboveLogicalParent, isAskedToGoOn, isClientsAnswer, isToldInAgent, namedParent } from "./parents";
import { QueuedBeside } from "./queued-beside";
import type { SessionGraph } from "./session-graph";
import { SharedCaveats } from "./shared-caveat";
import { PromptsTakenBack } from "./taken-back";

const NONE = -1;
const SEVERAL = -2;

/**
 * Finds the parents of records that are added one by one, with the same result as `resolveParents` over all of them.
 * Records that would change an existing parent are refused: a uuid written twice, a child that waited for this line,
 * an answer that was missing in another file, a prompt beside one that nothing came of.
 */
export class IncrementalParents {
  readonly #table: SessionTable;
  /** uuid → its record, `NONE` or `SEVERAL`. */
  #recordOf = new Int32Array();
  /** uuids that a line names as its parent and that no record has. */
  readonly #awaited = new Set<number>();
  /** File → its last node, `SEVERAL` where that is a duplicate. */
  readonly #lastNode: number[] = [];
  /** Files that contain a prompt without a parent. */
  readonly #promptRoots = new Set<number>();
  /** Lines of the main log that are the parent of an answer in another file. */
  readonly #answeredElsewhere = new Set<number>();
  /** Actual or possible parents of "No response requested.", and messages after which it was placed (2.1.29). */
  readonly #spacerParents = new Set<number>();
  readonly #spacerMessages = new Set<number>();
  readonly #caveats: SharedCaveats;
  readonly #takenBack: PromptsTakenBack;
  readonly #queued: QueuedBeside;
  /** A line of the main log stands before its parent: what stands last need not be what was said last. */
  #outOfOrder = false;
  /** The parents contain a cycle: where it is cut may depend on any other line. */
  #circular = false;

  constructor(
    table: SessionTable,
    { parents, duplicates, takenBack }: Pick<SessionGraph, "parents" | "duplicates" | "takenBack">,
  ) {
    this.#table = table;
    this.#caveats = new SharedCaveats(table);
    this.#takenBack = new PromptsTakenBack(table, parents, takenBack);
    this.#queued = new QueuedBeside(table);
    for (let record = 0; record < parents.length; record++)
      if (!duplicates.has(record)) this.#queued.promptBefore(record, () => at(parents, record));
    const { uuid, file } = table.records;
    for (let record = 0; record < parents.length; record++) {
      if (uuid.at(record) === NONE) continue;
      this.#note(record);
      if (duplicates.has(record)) this.#lastNode[file.at(record)] = SEVERAL;
    }
    for (let record = 0; record < parents.length; record++) {
      this.#outOfOrder ||= at(parents, record) > record && file.at(record) === 0;
      const named = uuid.at(record) === NONE ? NONE : namedParent(table, record);
      if (named !== NONE && duplicates.get(record) !== at(parents, record))
        this.#caveats.isLaterCommand(record, this.#find(named));
      const found = this.#find(named);
      if (named !== NONE && found === NONE) this.#awaited.add(named);
      else if (named !== NONE && found !== record && at(parents, record) === NONE)
        this.#circular ||= found === SEVERAL || !isAboveLogicalParent(table, parents, record, found);
      const isOrphan = uuid.at(record) !== NONE && duplicates.get(record) !== at(parents, record);
      if (named === NONE && isOrphan && this.#isPromptRoot(record)) this.#promptRoots.add(file.at(record));
      this.#noteAnswer(record, at(parents, record));
      if (!isClientsAnswer(this.#table, record) || at(parents, record) === NONE) continue;
      this.#spacerParents.add(at(parents, record)).add(this.#find(named));
      this.#spacerMessages.add(table.records.message.at(at(parents, record)));
    }
  }

  /** The parent of the next record, -1 for a root; null where it would change other records. */
  add(record: number): number | null {
    const named = this.#parentOf(record);
    if (named === null) return null;
    const queued = this.#queued.promptBefore(record, () => named);
    const parent = queued === NONE ? named : queued;
    return this.#takenBack.changes(record, parent) ? null : parent;
  }

  #parentOf(record: number): number | null {
    const { records } = this.#table;
    const uuid = records.uuid.at(record);
    const before = this.#lastNode[records.file.at(record)] ?? NONE;
    if (uuid === NONE) return before === SEVERAL || this.#isOfLostAnswer(record, before) ? null : before;
    if (this.#circular || this.#find(uuid) !== NONE || this.#awaited.has(uuid)) return null;
    const named = namedParent(this.#table, record);
    const found = this.#find(named);
    const goesOn = found === NONE || this.#caveats.isLaterCommand(record, found);
    const parent = goesOn ? this.#parentBefore(record, found, named, before) : found;
    if (parent === null || parent === SEVERAL || this.#isOfLostAnswer(record, parent)) return null;
    // See `joinTold`.
    if (parent !== NONE && parent !== before && isToldInAgent(this.#table, record)) return null;
    this.#note(record);
    this.#noteAnswer(record, parent);
    if (found === NONE && named !== NONE && named !== uuid) this.#awaited.add(named);
    return parent;
  }

  /** The parent of a record that continues the preceding node: a later command of a caveat, or an orphan. */
  #parentBefore(record: number, found: number, named: number, before: number): number | null {
    return found === NONE ? this.#substituteParent(record, named, before) : before;
  }

  /** See `adoptOrphans`. */
  #substituteParent(record: number, named: number, before: number): number | null {
    if (this.#isMainSidechain(record)) return NONE;
    if (named === NONE && this.#isPrompt(record)) {
      if (compactionBefore(this.#table, record) !== NONE) return null;
      const file = this.#table.records.file.at(record);
      const isPlan = (this.#table.records.flags.at(record) & Flag.plan) !== 0;
      if (this.#promptRoots.has(file) && !isPlan) return NONE;
      this.#promptRoots.add(file);
    }
    return before === SEVERAL ? null : before;
  }

  #note(record: number): void {
    const { records } = this.#table;
    const uuid = records.uuid.at(record);
    this.#recordOf = withCapacity(this.#recordOf, this.#table.uuids.size, NONE);
    this.#recordOf[uuid] = this.#find(uuid) === NONE ? record : SEVERAL;
    if (!this.#isMainSidechain(record)) this.#lastNode[records.file.at(record)] = record;
  }

  #find(uuid: number): number {
    return this.#recordOf[uuid] ?? NONE;
  }

  #isPrompt(record: number): boolean {
    return this.#table.records.kind.at(record) === RecordKind.prompt;
  }

  /** Whether a prompt without a parent is one of those of which each file's second is a root, see `adoptOrphans`. */
  #isPromptRoot(record: number): boolean {
    const isOne = this.#isPrompt(record) && !this.#isMainSidechain(record);
    return isOne && compactionBefore(this.#table, record) === NONE;
  }

  #isMainSidechain(record: number): boolean {
    const { records } = this.#table;
    return (records.flags.at(record) & Flag.sidechain) !== 0 && records.file.at(record) === 0;
  }

  #noteAnswer(record: number, parent: number): void {
    const { records } = this.#table;
    if (parent === NONE || records.file.at(record) === 0 || records.file.at(parent) !== 0) return;
    if (records.kind.at(record) === RecordKind.assistant) this.#answeredElsewhere.add(parent);
  }

  /** See `joinLostAnswers` and `joinBrokenOff`. */
  #isOfLostAnswer(record: number, parent: number): boolean {
    const { records } = this.#table;
    if (isClientsAnswer(this.#table, record) && parent !== NONE) {
      if (records.file.at(parent) !== 0 || this.#answeredElsewhere.has(parent)) return true;
      // See `joinBrokenOff`.
      if (parent !== this.#lastNode[0] || this.#outOfOrder || isAskedToGoOn(this.#table, parent)) return true;
      this.#spacerParents.add(parent);
      return false;
    }
    if (records.file.at(record) === 0) return false;
    const message = records.message.at(record);
    // Any line of the answer's message moves the line placed after it.
    if (message !== NONE && this.#spacerMessages.has(message)) return true;
    return records.kind.at(record) === RecordKind.assistant && this.#spacerParents.has(parent);
  }
}
