import { putLatest } from "@/lib/format/lists";
import { firstWords } from "@/lib/format/text";
import { promptRecord, promptTitle } from "@/lib/log/rows/turn-row";
import { at } from "@/lib/log/table/table";
import type { Surroundings } from "@/lib/server/library/session-files";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { toolNamed } from "@/lib/tools/tools";
import type {
  BlameRange,
  BlameResponse,
  FileAt,
  FileGap,
  FileStepPlace,
  FileVersion,
  FileVersionsResponse,
  TouchedFilesResponse,
} from "@/lib/wire/files";
import type { RecordId } from "@/lib/wire/ids";
import type { FileAtRequest } from "@/lib/wire/requests/files";
import type { Checked } from "@/lib/wire/requests/values";
import { activeTurns } from "../answers/agent-entries";
import { chooseBranch, firstThread, idOfBranch } from "../answers/branch-entries";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { fileEvents, timeAt, touchedFiles } from "./file-events";
import {
  type FileState,
  type FileStep,
  FileTimeline,
  type Origin,
  type TimelineVersion,
} from "./file-timeline";

const NONE = -1;
const KEEP_BYTES = 1024;
const MAX_PROMPT = 120;
/** Files whose timelines are kept for the next step of a scrubber. */
const MAX_KEPT = 4;

const kept = new WeakMap<OpenSession, Map<string, Promise<FileTimeline>>>();

/** The versions of a file. Throws `file-not-touched` if the session's logs do not mention it. */
export async function timelineOf(
  session: OpenSession,
  around: Surroundings,
  named: string,
): Promise<FileTimeline> {
  const { spelled, calls } = await touchedFiles(session);
  const path = spelled(named);
  const timelines = kept.get(session) ?? new Map<string, Promise<FileTimeline>>();
  kept.set(session, timelines);
  const made =
    timelines.get(path) ?? fileEvents(session, around, path).then((events) => FileTimeline.of(events));
  putLatest(timelines, path, made, MAX_KEPT);
  const timeline = await made.catch((error: unknown) => {
    timelines.delete(path);
    throw error;
  });
  // The log contains no text of a picture that was read: a file without versions.
  if (timeline.events.length === 0 && !calls.has(path))
    throw new ViewerError("file-not-touched", "This session neither read nor changed this file", {
      hint: "Paths are those of the session’s own calls, usually from the root of the disk on.",
    });
  return timeline;
}

/** Every file that calls read or changed, by path. */
export async function filesTouched(session: OpenSession): Promise<TouchedFilesResponse> {
  const { table, graph } = session;
  const { calls } = await touchedFiles(session);
  const isAgents = (call: number) =>
    graph.threads[at(graph.threadOf, table.blocks.record.at(table.calls.use.at(call)))]?.agentId != null;
  const files = [...calls].map(([path, own]) => {
    const changing = own.filter(
      (call) => toolNamed(table.tools.at(table.calls.tool.at(call)))?.files === "changes",
    );
    const changes = changing.length;
    return { path, reads: own.length - changes, changes, byAgents: changing.filter(isAgents).length };
  });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A file's versions, in order. Throws `file-not-touched`. */
export async function fileVersions(
  session: OpenSession,
  around: Surroundings,
  path: string,
): Promise<FileVersionsResponse> {
  const timeline = await timelineOf(session, around, path);
  return timeline.versions.map((version) => toWire(session, timeline, version));
}

function toWire(session: OpenSession, { events }: FileTimeline, version: TimelineVersion): FileVersion {
  const event = events[version.event] as FileStep;
  const { id, kind, added, removed, complete, sameAs } = version;
  const checked = events[version.checkedBy];
  return {
    ...placeOnBranch(session, event),
    id,
    kind,
    added,
    removed,
    atMs: event.atMs || null,
    complete,
    sameAs,
    checkedBy: checked ? placeOnBranch(session, checked) : null,
  };
}

/** The position of a step, with its branch. */
export function placeOnBranch(
  session: OpenSession,
  step: Omit<FileStepPlace, "branch"> & { records: readonly number[] },
): FileStepPlace {
  const { recordId, block, tool, agentId, turn, records } = step;
  const [record = null] = records;
  const through = agentId === null ? chooseBranch(session, { branch: null, agent: null }, record) : null;
  const isActive = through === null || through === session.graph.branches[firstThread(session)]?.[0];
  return { recordId, block, tool, agentId, branch: isActive ? null : idOfBranch(session, through), turn };
}

/** The file as it was after a step, when a record was written, or in the end. Throws `file-not-touched` and `record-not-found`. */
export async function fileAt(
  session: OpenSession,
  around: Surroundings,
  path: string,
  at: string | null,
): Promise<FileAt> {
  const timeline = await timelineOf(session, around, path);
  const index = versionAt(session, timeline, at);
  const version = timeline.versions[index];
  const { text } = timeline.stateAt(index);
  const { lines, open } = text;
  // What a step created was not there before it.
  const isYetToCome = index === -1 && timeline.versions[0]?.kind === "create";
  const exists = isYetToCome ? false : text.exists;
  const isKnown = exists === true && lines.some((line) => line !== null);
  return {
    path,
    atRecordId: at === null ? (version ? recordOf(timeline, version) : null) : (recordIn(at) as RecordId),
    version: version?.id ?? null,
    content: isKnown ? lines.map((line) => line ?? "").join("\n") : null,
    exists,
    complete: version?.complete ?? false,
    gaps: exists === false ? [] : gapsOf(lines, open),
    source: version?.source ?? "nothing",
  };
}

/** The same, with who wrote its lines and with an earlier or later state of it, where they are asked for. Throws as `fileAt`. */
export async function fileAndMore(
  session: OpenSession,
  around: Surroundings,
  { path, at, blame, against }: Checked<typeof FileAtRequest>,
): Promise<FileAt> {
  const file = await fileAt(session, around, path, at);
  return {
    ...file,
    ...(blame && { blame: await blameOf(session, around, path, at) }),
    ...(against !== null && { against: await fileAt(session, around, path, against) }),
  };
}

/** Who wrote the lines of a file. Throws `file-not-touched` and `record-not-found`. */
export async function blameOf(
  session: OpenSession,
  around: Surroundings,
  path: string,
  at: string | null,
): Promise<BlameResponse> {
  const timeline = await timelineOf(session, around, path);
  const state = timeline.stateAt(versionAt(session, timeline, at));
  const ranges = originRanges(state);
  const turns = new Set(ranges.map(({ origin }) => eventOf(timeline, origin).turn));
  const prompts = await promptsOf(session, turns);
  return ranges.map(({ origin, fromLine, toLine }): BlameRange => {
    const step = eventOf(timeline, origin);
    const version = (timeline.versions[origin.version] as TimelineVersion).id;
    const prompt = prompts.get(step.turn) ?? null;
    const place = placeOnBranch(session, step);
    return { ...place, fromLine, toLine, how: origin.how, version, prompt, atMs: step.atMs || null };
  });
}

function eventOf({ events, versions }: FileTimeline, { version }: Origin): FileStep {
  return events[(versions[version] as TimelineVersion).event] as FileStep;
}

function recordOf({ events }: FileTimeline, { event }: TimelineVersion): RecordId {
  return (events[event] as FileStep).recordId;
}

/** The part of `m~1k9.0:before` that names the record. */
function recordIn(at: string): string {
  return at.replace(/[.:].*$/, "");
}

/** The index of the version that a version's id or a record names, -1 before the first. */
function versionAt(session: OpenSession, timeline: FileTimeline, at: string | null): number {
  const { versions, events, versionAfter } = timeline;
  if (at === null) return versions.length - 1;
  const named = versions.findIndex(({ id }) => id === at);
  if (named !== -1) return named;
  const record = session.find(recordIn(at));
  const block = /\.(\d+)$/.exec(at)?.[1];
  const own = events.findLastIndex(
    (event) => event.records.includes(record) && (block === undefined || event.block === Number(block)),
  );
  if (own !== -1) return versionAfter[own] ?? -1;
  const atMs = timeAt(session, record);
  const last = events.findLastIndex(
    (event) => event.atMs < atMs || (event.atMs === atMs && (event.records.at(-1) ?? 0) <= record),
  );
  return versionAfter[last] ?? -1;
}

function gapsOf(lines: readonly (string | null)[], open: boolean): FileGap[] {
  const gaps: FileGap[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] !== null) continue;
    const fromLine = at + 1;
    while (at + 1 < lines.length && lines[at + 1] === null) at += 1;
    gaps.push({ fromLine, toLine: at + 1 });
  }
  const last = gaps.at(-1);
  if (open && last?.toLine === lines.length) last.toLine = null;
  else if (open) gaps.push({ fromLine: lines.length + 1, toLine: null });
  return gaps;
}

/** Adjacent lines of one origin. What follows the last newline is no line. */
function originRanges({ text, origins }: FileState): { origin: Origin; fromLine: number; toLine: number }[] {
  const ranges: { origin: Origin; fromLine: number; toLine: number }[] = [];
  const end = text.lines.at(-1) === "" ? text.lines.length - 1 : text.lines.length;
  for (let line = 1; line <= end; line++) {
    const origin = origins[line - 1];
    if (!origin) continue;
    const last = ranges.at(-1);
    const isSame = last?.origin.version === origin.version && last.origin.how === origin.how;
    if (last && isSame && last.toLine === line - 1) last.toLine = line;
    else ranges.push({ origin, fromLine: line, toLine: line });
  }
  return ranges;
}

/** The first words of the prompts of turns of the active branch. */
export async function promptsOf(
  session: OpenSession,
  turns: ReadonlySet<number>,
): Promise<Map<number, string>> {
  const known = activeTurns(session);
  const sources = [...turns].flatMap((turn) => {
    const first = known?.prompt(turn) ?? NONE;
    return first === NONE ? [] : [{ turn, record: promptRecord(session, first) }];
  });
  const read = await readRecords(
    session,
    sources.map(({ record }) => record),
    KEEP_BYTES,
  );
  return new Map(
    sources.map(({ turn, record }) => [turn, firstWords(promptTitle(read(record)), MAX_PROMPT)]),
  );
}
