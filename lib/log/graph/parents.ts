import { addTo } from "@/lib/format/lists";
import { compactionBefore } from "@/lib/log/adding/summary-boundary";
import { Flag, RecordKind } from "@/lib/log/table/kinds";
import { rareValue } from "@/lib/log/table/rare-values";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { SharedCaveats } from "./shared-caveat";

const NONE = -1;

/**
 * The parent record of every record, -1 for roots. Follows `parentUuid`; at a compaction boundary
 * the logical parent, unless that stands below it; for a line without a uuid the preceding node of its file, so that the
 * client's bookkeeping stays where it was written. A duplicate with the same parent as its original becomes a child of the
 * original, and so do its own children. A later command of a shared caveat follows the preceding node
 * (1.0.60). Cycles and self-parents are cut: every walk up ends.
 */
export function resolveParents(table: SessionTable, duplicates: ReadonlyMap<number, number>): Int32Array {
  const { records } = table;
  const find = recordFinder(table);
  const parents = new Int32Array(records.size).fill(NONE);
  const originals = new Map<number, number>();
  const lastNode = new Map<number, number>();
  const orphans: Orphan[] = [];
  const early: Orphan[] = [];
  const caveats = new SharedCaveats(table);
  const canonical = (record: number) => originals.get(record) ?? record;
  for (let record = 0; record < records.size; record++) {
    const file = records.file.at(record);
    const flags = records.flags.at(record);
    const before = lastNode.get(file) ?? NONE;
    if (!(flags & Flag.node)) {
      parents[record] = before;
      continue;
    }
    const named = namedParent(table, record);
    const found = canonical(find(named, record));
    const original = duplicates.get(record);
    if (original !== undefined && found === canonical(find(namedParent(table, original), original))) {
      originals.set(record, canonical(original));
      continue;
    }
    if (caveats.isLaterCommand(record, found)) parents[record] = before;
    else if (found === NONE) orphans.push({ record, named, before });
    else parents[record] = found;
    if (found > record && isBoundary(table, record)) early.push({ record, named, before });
    if (!(flags & Flag.sidechain && file === 0)) lastNode.set(file, record);
  }
  // A child may be written before its parent (2.1.110), and so before a duplicate of the parent was recognized.
  for (let record = 0; record < parents.length; record++) {
    parents[record] = originals.get(record) ?? canonical(at(parents, record));
  }
  for (const boundary of early) {
    if (!isBelow(parents, at(parents, boundary.record), boundary.record)) continue;
    parents[boundary.record] = NONE;
    orphans.push(boundary);
  }
  cutCycles(parents);
  adoptOrphans(table, parents, orphans);
  joinLostAnswers(table, parents);
  joinBrokenOff(table, parents);
  joinTold(table, parents);
  cutCycles(parents);
  return parents;
}

/** The uuid that a line names as its parent, -1 for none; at a compaction boundary the logical one. */
export function namedParent(table: SessionTable, record: number): number {
  if (isBoundary(table, record)) {
    const logical = table.records.link.at(record);
    if (logical !== NONE) return logical;
  }
  return table.records.parent.at(record);
}

function isBoundary({ records }: SessionTable, record: number): boolean {
  return records.kind.at(record) === RecordKind.compactBoundary;
}

/** A compaction preserves no more lines than this. */
const MAX_PRESERVED = 4_096;

/**
 * Whether a walk up from a record comes to this compaction. So it does from its logical parent where a session is forked
 * after it: the fork begins with the compaction, and what that preserved stands below its summary (2.1.315).
 */
function isBelow(parents: Int32Array, record: number, boundary: number): boolean {
  let up = record;
  for (let steps = 0; up !== NONE && steps < MAX_PRESERVED; steps++) {
    if (up === boundary) return true;
    up = at(parents, up);
  }
  return false;
}

/** Whether a compaction has no parent since its logical one, which is this record, stands below it. */
export function isAboveLogicalParent(
  table: SessionTable,
  parents: Int32Array,
  boundary: number,
  logical: number,
): boolean {
  return isBoundary(table, boundary) && isBelow(parents, logical, boundary);
}

/**
 * Returns a look-up of the record with a uuid number (-1: none) as seen from a child: in the child's own file, else
 * in another file of the session. Of several in one file it is the one written last before the child.
 */
function recordFinder(table: SessionTable): (key: number, child: number) => number {
  const { records } = table;
  const first = new Int32Array(table.uuids.size).fill(NONE);
  const several = new Map<number, number[]>();
  for (let record = 0; record < records.size; record++) {
    const key = records.uuid.at(record);
    if (key === NONE) continue;
    const known = first[key] as number;
    if (known === NONE) {
      first[key] = record;
      continue;
    }
    const all = several.get(key);
    if (all) all.push(record);
    else several.set(key, [known, record]);
  }
  return (key, child) => {
    if (key === NONE) return NONE;
    const all = several.get(key);
    if (!all) return first[key] === child ? NONE : (first[key] as number);
    const file = records.file.at(child);
    let before = NONE;
    let after = NONE;
    let elsewhere = NONE;
    for (const record of all) {
      if (record === child) continue;
      if (records.file.at(record) !== file) elsewhere = elsewhere === NONE ? record : elsewhere;
      else if (record < child) before = record;
      else if (after === NONE) after = record;
    }
    if (before !== NONE) return before;
    return after === NONE ? elsewhere : after;
  };
}

/** A node whose parent is missing: the uuid it names (-1 for none), and the preceding node of its file. */
export type Orphan = { record: number; named: number; before: number };

/**
 * Gives orphans a substitute parent, unless that is a descendant of the orphan: an
 * answer can be written before its prompt (2.1.110, 2.1.220). `parents` must be without cycles, and stays so.
 */
function adoptOrphans(table: SessionTable, parents: Int32Array, orphans: readonly Orphan[]): void {
  const promptRoots = new Set<number>();
  const roots = parents.slice();
  for (const orphan of orphans) {
    const parent = substituteParent(table, orphan, promptRoots);
    if (parent === NONE || rootOf(roots, parent) === orphan.record) continue;
    parents[orphan.record] = parent;
    roots[orphan.record] = parent;
  }
}

/**
 * The substitute parent of an orphan. In mid-file it continues the preceding node (plan continuations of 2.1.15 to
 * 2.1.42 start with lines of the old session, in 2.1.15 with all of them); but a second prompt without any parent is a
 * rewind to the very start, and a sidechain's first line starts its agent.
 */
function substituteParent(
  table: SessionTable,
  { record, named, before }: Orphan,
  promptRoots: Set<number>,
): number {
  const file = table.records.file.at(record);
  if (table.records.flags.at(record) & Flag.sidechain && file === 0) return NONE;
  if (named !== NONE || table.records.kind.at(record) !== RecordKind.prompt) return before;
  const compaction = compactionBefore(table, record);
  if (compaction !== NONE) return compaction;
  if (promptRoots.has(file)) return table.records.flags.at(record) & Flag.plan ? before : NONE;
  promptRoots.add(file);
  return before;
}

/** The root above a record. Compresses the path, so that a log of orphans only does not take quadratic time. */
function rootOf(roots: Int32Array, record: number): number {
  let root = record;
  while (at(roots, root) !== NONE) root = at(roots, root);
  for (let walked = record; walked !== root; ) {
    const up = at(roots, walked);
    roots[walked] = root;
    walked = up;
  }
  return root;
}

/**
 * Records that repeat one in their file, with the same uuid and the same content: duplicate → the one
 * written first. `/branch` writes the records that a compaction preserved a second time (2.1.330, tui-extra), and
 * those it had removed (2.1.110). The same uuid with different content is not a duplicate.
 */
export function findDuplicateRecords(table: SessionTable): Map<number, number> {
  const { records } = table;
  const first = new Int32Array(table.uuids.size).fill(NONE);
  const otherFiles = new Map<string, number>();
  const duplicates = new Map<number, number>();
  for (let record = 0; record < records.size; record++) {
    const uuid = records.uuid.at(record);
    if (uuid === NONE || !(records.flags.at(record) & Flag.node)) continue;
    const known = first[uuid] as number;
    if (known === NONE) {
      first[uuid] = record;
      continue;
    }
    const file = records.file.at(record);
    const key = `${uuid} ${file}`;
    const original = records.file.at(known) === file ? known : otherFiles.get(key);
    if (original === undefined) otherFiles.set(key, record);
    else if (hasSameContent(table, original, record)) duplicates.set(record, original);
  }
  return duplicates;
}

function hasSameContent({ records, images }: SessionTable, one: number, other: number): boolean {
  return (
    SAME.every((column) => Object.is(records[column].at(one), records[column].at(other))) &&
    rareValue(images, one) === rareValue(images, other)
  );
}

/** Without `parent` and `length`: a duplicate may have another parent, and names its origin. */
const SAME = ["kind", "type", "link", "message", "atMs"] as const;

/**
 * 2.1.29 writes the last answer of a turn only into a suggestion agent's file. When the session is
 * resumed, the client finds a prompt without an answer and continues from there with "No response
 * requested.". To a reader the answer was given: that line is placed after it, which leaves one branch, not two.
 */
function joinLostAnswers(table: SessionTable, parents: Int32Array): void {
  const { records } = table;
  const spacers = new Map<number, number[]>();
  for (let record = 0; record < records.size; record++) {
    if (isClientsAnswer(table, record) && at(parents, record) !== NONE)
      addTo(spacers, at(parents, record), record);
  }
  if (spacers.size === 0) return;
  for (let record = 0; record < records.size; record++) {
    const waiting = spacers.get(at(parents, record));
    if (!waiting || records.file.at(record) === 0 || records.kind.at(record) !== RecordKind.assistant)
      continue;
    const last = lastLine(table, record);
    for (const spacer of waiting) parents[spacer] = last;
  }
}

/** Whether a line of the main log is an answer that the client wrote itself, as "No response requested.", and no error. */
export function isClientsAnswer({ records }: SessionTable, record: number): boolean {
  return (
    records.file.at(record) === 0 &&
    records.kind.at(record) === RecordKind.synthetic &&
    !(records.flags.at(record) & Flag.apiError)
  );
}

/** An answer that broke off has no more lines than this below what it answers. */
const MAX_BROKEN_OFF = 256;

/**
 * A client that is ended in the middle of a call leaves it without a result. Resumed, it goes on from before the answer that
 * made the call, with "No response requested." (2.0.25 to 2.1.179). Nobody rewound anything: that line is placed after the
 * answer that broke off, which leaves one branch, not two.
 */
function joinBrokenOff(table: SessionTable, parents: Int32Array): void {
  const { records } = table;
  let last = NONE;
  for (let record = 0; record < records.size; record++) {
    const flags = records.flags.at(record);
    if (records.file.at(record) !== 0 || flags & Flag.sidechain || !(flags & Flag.node)) continue;
    if (records.kind.at(record) === RecordKind.assistant) last = record;
    if (!isClientsAnswer(table, record)) continue;
    const top = topOfGoingOn(table, parents, record);
    if (isAnswerBelow(table, parents, last, top)) parents[top] = last;
  }
}

/** The first of the lines with which a client goes on: from 2.1.179 on one that asks to continue stands above its answer. */
function topOfGoingOn(table: SessionTable, parents: Int32Array, spacer: number): number {
  const above = at(parents, spacer);
  return above !== NONE && isAskedToGoOn(table, above) ? above : spacer;
}

/** Whether a line may be that with which a client asks the model to go on: a user's that nobody typed. */
export function isAskedToGoOn({ records }: SessionTable, record: number): boolean {
  return records.file.at(record) === 0 && records.kind.at(record) === RecordKind.meta;
}

/**
 * What an agent is told while it ends is written beside its last answer, below the same line (2.1.220, 2.1.280). Nobody goes
 * back in an agent's thread: it stands after that answer.
 */
function joinTold(table: SessionTable, parents: Int32Array): void {
  const { records } = table;
  const last = new Map<number, number>();
  for (let record = 0; record < records.size; record++) {
    const file = records.file.at(record);
    if (file === 0 || !(records.flags.at(record) & Flag.node)) continue;
    const before = last.get(file) ?? NONE;
    last.set(file, record);
    if (!isToldInAgent(table, record) || before === NONE) continue;
    if (isAnswerBelow(table, parents, before, record)) parents[record] = before;
  }
}

/** Whether a line of an agent's own log tells it what to do. */
export function isToldInAgent({ records }: SessionTable, record: number): boolean {
  return records.file.at(record) !== 0 && records.kind.at(record) === RecordKind.agentPrompt;
}

/** Whether a line stands in the answer to what another one, `beside`, has as its parent. */
function isAnswerBelow(table: SessionTable, parents: Int32Array, line: number, beside: number): boolean {
  const { kind } = table.records;
  const above = at(parents, beside);
  if (above === NONE || line === NONE) return false;
  let up = line;
  for (let steps = 0; up !== above; steps++) {
    if (up === NONE || up === beside || steps === MAX_BROKEN_OFF) return false;
    if (kind.at(up) === RecordKind.prompt || kind.at(up) === RecordKind.agentPrompt) return false;
    up = at(parents, up);
  }
  return true;
}

/** The last line of this line's message that follows it in its file without a gap. */
function lastLine({ records }: SessionTable, record: number): number {
  let last = record;
  while (last + 1 < records.size && records.message.at(last + 1) === records.message.at(record)) last += 1;
  return last;
}

const UNSEEN = 0;
const WALKED = 1;
const DONE = 2;

/**
 * Cuts every cycle of a parent list, so that every walk ends at a root. In place, one pass. The node that comes first
 * becomes the root: where a cycle is cut depends on nothing outside it.
 * @param order what tells which node comes first; the nodes' own numbers where it is left out
 */
export function cutCycles(parents: Int32Array, order?: Int32Array): void {
  const state = new Uint8Array(parents.length);
  const place = (node: number) => (order ? at(order, node) : node);
  for (let start = 0; start < parents.length; start++) {
    let node = start;
    while (node !== NONE && state[node] === UNSEEN) {
      state[node] = WALKED;
      node = parents[node] as number;
    }
    const closes = node !== NONE && state[node] === WALKED;
    for (let walked = start; walked !== NONE && state[walked] === WALKED; walked = parents[walked] as number)
      state[walked] = DONE;
    if (!closes) continue;
    let first = node;
    for (let up = parents[node] as number; up !== node; up = parents[up] as number)
      if (place(up) < place(first)) first = up;
    parents[first] = NONE;
  }
}
