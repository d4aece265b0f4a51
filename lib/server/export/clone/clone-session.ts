import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { asObject } from "@/lib/log/records/json";
import { lineWithoutImages, mayHoldImages } from "@/lib/log/records/without-images";
import { RecordKind } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { Rewriting } from "@/lib/redact/home-folder";
import { openConfined } from "@/lib/server/disk/confined-file";
import { fileBytes, readRange } from "@/lib/server/disk/read-range";
import { nextSlice } from "@/lib/server/runtime/slices";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords, redactedLine } from "@/lib/server/session/read-records";
import type { SessionQueries } from "@/lib/server/session/sessions";
import { type SessionId, uuidOfSession } from "@/lib/wire/ids";
import type { Choice } from "../chosen-part";
import { withoutBlocks } from "../left-out";
import type { FileInZip } from "../zip";
import { CloneNames } from "./clone-names";
import { type ClonePlan, planClone } from "./clone-plan";
import { digestOf, linesOfDigest } from "./digest";

/** A clone: the id of the new session, and its files, the main log first. */
export type Clone = { id: string; files: FileInZip[] };

/**
 * A copy of the chosen part of a session, as a session of its own that the client can resume: with a new id, new uuids
 * of its records, and all references to them replaced. `sessions` may be those of a redaction, which is then given as
 * well. `newId` makes a UUID each time. Throws `log-gone` if only agents are left.
 */
export async function cloneSession(
  sessions: SessionQueries,
  id: SessionId,
  choice: Choice,
  redaction: Rewriting | null,
  newId: () => string = randomUUID,
): Promise<Clone> {
  const session = await sessions.latest(id);
  const { main } = session.files;
  if (main.gone)
    throw new ViewerError("log-gone", "The log of this session itself is gone: only its agents are left", {
      status: 400,
      hint: "Without it there is nothing to resume: take another format.",
    });
  const digest = await digestOf(sessions, session, choice);
  const plan = planClone(session, digest?.rest ?? choice);
  const now = newId();
  const names = new CloneNames(session, plan, { before: await ownId(session), now }, newId);
  const head = digest ? linesOfDigest(digest, names, now, newId) : [];
  const records = recordsByFile(session, plan);
  const linesIn = (file: number) => linesOf(session, file, records(file), plan, names);
  const files: FileInZip[] = [{ path: `${now}.jsonl`, pieces: after(head, linesIn(0)) }];
  for (const [index, agent] of session.files.agents.entries()) {
    if (records(index + 1).length === 0) continue;
    // Before 2.1.29 they are beside the main log, like the original's.
    const place = agent.name.split("/subagents/")[1] ?? basename(agent.name);
    const path = `${now}/subagents/${place}`;
    files.push({ path, pieces: linesIn(index + 1) });
    const meta = agent.metaPath && (await metaOf(session.files.root, agent.metaPath, redaction));
    if (meta) files.push({ path: path.replace(/\.jsonl$/, ".meta.json"), pieces: whole(meta) });
  }
  return { id: now, files };
}

/**
 * The id by which the session's own lines name it: that of its file, or of its first line if the file has another name.
 */
async function ownId(session: OpenSession): Promise<string> {
  const named = uuidOfSession(basename(session.files.main.path));
  if (named !== null) return named;
  const first = Array.from({ length: Math.min(MAX_WITHOUT_ID, session.graph.parents.length) }, (_, at) => at);
  const read = await readRecords(session, first, 512);
  for (const record of first) {
    const line = read(record);
    if (line && line.kind !== "unreadable" && line.sessionId !== null) return line.sessionId;
  }
  return "";
}

/** A log may begin with lines that name no session, but not with more than a few. */
const MAX_WITHOUT_ID = 200;

/** The records of each file that are kept, in the file's order: found once, for sessions of a thousand files. */
function recordsByFile(
  { table: { records }, files }: OpenSession,
  { kept }: ClonePlan,
): (file: number) => Int32Array {
  /** Where each file's records end in the list, and the next one's begin. */
  const ends = new Int32Array(files.agents.length + 2);
  for (let record = 0; record < kept.length; record++)
    if (kept[record]) ends[records.file.at(record) + 1] = at(ends, records.file.at(record) + 1) + 1;
  for (let file = 1; file < ends.length; file++) ends[file] = at(ends, file) + at(ends, file - 1);
  const list = new Int32Array(ends.at(-1) ?? 0);
  const next = ends.slice();
  for (let record = 0; record < kept.length; record++) {
    if (!kept[record]) continue;
    const file = records.file.at(record);
    list[at(next, file)] = record;
    next[file] = at(next, file) + 1;
  }
  return (file) => list.subarray(ends[file], ends[file + 1]);
}

/** Adjacent records of a file are read at once, up to this much. */
const SPAN_BYTES = 1 << 20;

async function* after(
  head: readonly string[],
  lines: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield Buffer.from(head.map((line) => `${line}\n`).join(""));
  yield* lines;
}

/** These lines of a log as they are in the clone. Keeps one span in memory. */
async function* linesOf(
  session: OpenSession,
  file: number,
  records: Int32Array,
  plan: ClonePlan,
  names: CloneNames,
): AsyncGenerator<Uint8Array> {
  const { table, files } = session;
  const path = file === 0 ? files.main.path : files.agents[file - 1]?.path;
  if (path === undefined) return;
  const handle = await openConfined(files.root, path);
  try {
    for (const span of spansOf(session, records)) {
      const [first = 0, last = 0] = [span[0], span.at(-1)];
      const from = table.records.offset.at(first);
      const bytes = await readRange(
        handle,
        from,
        table.records.offset.at(last) + table.records.length.at(last),
      );
      const lines: Uint8Array[] = [];
      for (const record of span) {
        const start = table.records.offset.at(record) - from;
        const line = bytes.subarray(start, start + table.records.length.at(record));
        lines.push(Buffer.from(`${cloned(session, record, line, plan, names)}\n`, "latin1"));
        await nextSlice();
      }
      yield Buffer.concat(lines);
    }
  } finally {
    await handle.close();
  }
}

/** Records of a file, in its order, in groups that are read at once. */
function* spansOf({ table: { records } }: OpenSession, list: Int32Array): Generator<Int32Array> {
  let first = 0;
  for (let index = 0; index < list.length; index++) {
    const record = at(list, index);
    const end = records.offset.at(record) + records.length.at(record);
    if (index === first || end - records.offset.at(at(list, first)) <= SPAN_BYTES) continue;
    yield list.subarray(first, index);
    first = index;
  }
  if (first < list.length) yield list.subarray(first);
}

/** A line as it is in the clone, its bytes as characters: whatever is not renamed stays byte for byte. */
function cloned(
  session: OpenSession,
  record: number,
  bytes: Uint8Array,
  plan: ClonePlan,
  names: CloneNames,
): string {
  const { table } = session;
  const left = [...blocksOf(table, record)].filter((block) => plan.left.has(block));
  const line = Buffer.from(redactedLine(session, bytes)).toString("latin1");
  const places = new Set(left.map((block) => table.blocks.index.at(block)));
  const isDue = places.size > 0 || (!plan.images && mayHoldImages(line));
  const kept = isDue ? lineWithout(line, places, plan) : line;
  const renamed = names.rename(kept, record);
  const isAnswer = table.records.kind.at(record) === RecordKind.assistant;
  return isAnswer && !plan.isWhole ? renamed.replace(/\}\s*$/, ',"usageIsExact":false}') : renamed;
}

/** A line without some blocks of its message, by their indexes, and without images where the plan has none. */
function lineWithout(line: string, places: ReadonlySet<number>, { images }: ClonePlan): string {
  const json = asObject(JSON.parse(Buffer.from(line, "latin1").toString())) ?? {};
  const held = withoutBlocks(json, (_, place) => places.has(place));
  const kept = images ? held : lineWithoutImages(held);
  return Buffer.from(JSON.stringify(kept)).toString("latin1");
}

/** The meta file beside an agent's log. Null if it is gone or cannot be read: the log says enough without it. */
async function metaOf(root: string, path: string, redaction: Rewriting | null): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of fileBytes(root, path)) pieces.push(piece);
  } catch (error) {
    if (isViewerError(error)) return null;
    throw error;
  }
  const text = Buffer.concat(pieces).toString();
  return redaction ? redaction.redactLine(text) : text;
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}
