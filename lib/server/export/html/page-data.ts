import { toPrintableJson } from "@/lib/format/text";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { CommentThread } from "@/lib/wire/comment-threads";
import { EXPORTED, type ExportedBlob, type ExportedSession } from "@/lib/wire/exported";
import { type AgentId, parseRowKey, type RecordId } from "@/lib/wire/ids";
import type { CallDetail } from "@/lib/wire/record";
import type { BlobRef, Row } from "@/lib/wire/rows";
import type { AgentEntry, SessionDetail } from "@/lib/wire/session";
import type { ExportedComments } from "../exported-comments";
import { agentEntriesOf, eachRow } from "../exported-threads";
import { type Html, html } from "./html";
import { settled, unlessGone } from "./log-reader";

/** Rows per element: few enough that the first are read at once. */
const ROWS = 100;
/** A longer line is not in the file: only what its row shows of it. */
const MAX_LINE_BYTES = 2 << 20;
const MAX_BLOB_BYTES = 4 << 20;
/** The size of all images, documents and outputs: a file that is sent should not be hundreds of megabytes. */
const MAX_BLOBS_BYTES = 32 << 20;

/** A value as an element of the page that is neither run nor drawn. No text in it can end the element. */
export function dataElement(id: string, value: unknown): string {
  return withJson(html`<script type="application/json" id="${id}">`, value);
}

function withJson(begin: Html, value: unknown): string {
  return `${begin.source}${toPrintableJson(value).replaceAll("<", "\\u003c")}</script>\n`;
}

type PageSettings = Pick<ExportedSession, "facts" | "leftOut" | "turns"> & {
  comments: ExportedComments;
  withCommentsElsewhere: boolean;
};

/**
 * The data that the page of an exported file requests (`lib/wire/exported.ts`), as elements: the session's active
 * branch and the threads of the agents that it and they name, with calls, briefs, and the lines and bytes of everything
 * that is shown in full. Keeps one window of rows. `facts`, `leftOut`: as an `ExportedSession` has them. `turns`: the
 * number of turns of the branch, of which this may be a part. `comments` go along with the rows that they are about, and
 * the others where `withCommentsElsewhere`.
 */
export async function* pageData(
  sessions: SessionQueries,
  files: SessionFiles,
  session: SessionDetail,
  { facts, leftOut, turns, comments, withCommentsElsewhere }: PageSettings,
): AsyncGenerator<string> {
  const data = new PageData(sessions, files, comments);
  // If it is gone, the API returns the first agent's, which is among the agents.
  if (!files.main.gone) yield* data.thread(null);
  const entries: AgentEntry[] = [];
  for await (const entry of agentEntriesOf(sessions, files.id)) entries.push(entry);
  for (const { agentId, parentRecordId } of entries)
    if (files.main.gone || parentRecordId === null) data.named.add(agentId);
  // Grows with the agents of agents.
  for (const agentId of data.named) yield* data.thread(agentId);
  const listed = entries.map((entry, place) => ({ entry, place }));
  const held = listed.filter(({ entry }) => data.named.has(entry.agentId));
  const head: ExportedSession = {
    id: files.id,
    title: session.title,
    facts,
    turns: Math.max(turns, data.turns),
    lastActiveAtMs: session.lastActiveAtMs,
    leftOut,
    logGone: files.main.gone === true,
    agents: held.map(({ entry }) => entry),
    agentPlaces: held.map(({ place }) => place),
    comments: [...data.comments, ...(withCommentsElsewhere ? comments.left : [])].flatMap(
      ({ begins, answers }) => [begins, ...answers],
    ),
  };
  yield dataElement(EXPORTED.session, head);
}

class PageData {
  readonly #sessions: SessionQueries;
  readonly #files: SessionFiles;
  /** The agents that rows name. */
  readonly named = new Set<AgentId>();
  /** The comments on the rows so far. */
  readonly comments: CommentThread[] = [];
  readonly #commentsLeft: ExportedComments;
  turns = 0;
  readonly #written = new Set<string>();
  #blobBytes = 0;

  constructor(sessions: SessionQueries, files: SessionFiles, comments: ExportedComments) {
    this.#sessions = sessions;
    this.#files = files;
    this.#commentsLeft = comments;
  }

  /** The rows of a thread, each window followed by what its rows request. Ends early if the thread's log is gone. */
  async *thread(agent: AgentId | null): AsyncGenerator<string> {
    // One branch is exported, so there is no other to go to.
    const isIn = ({ kind }: Row) => kind !== "fork";
    let window: Row[] = [];
    try {
      for await (const row of eachRow(this.#sessions, this.#files.id, agent, "tools", isIn)) {
        this.comments.push(...this.#commentsLeft.takeAt(row));
        window.push(row);
        if (window.length < ROWS) continue;
        yield* this.#window(agent, window);
        window = [];
      }
    } catch (error) {
      if (agent === null || !isViewerError(error)) throw error;
    }
    yield* this.#window(agent, window);
  }

  async *#window(agent: AgentId | null, rows: readonly Row[]): AsyncGenerator<string> {
    if (rows.length === 0) return;
    yield withJson(html`<script type="application/json" data-rows="${EXPORTED.rows(agent)}">`, rows);
    for (const row of rows) yield* this.#beside(row, agent === null);
  }

  async *#beside(row: Row, isMain: boolean): AsyncGenerator<string> {
    if (hasCutText(row) || row.kind === "unknown") yield* this.#line(row.recordId);
    // A summary, or a prompt that was queued, may be on a line of its own.
    if ((row.kind === "compaction" || row.kind === "turn") && hasCutText(row))
      for (const key of row.shows ?? []) yield* this.#line(parseRowKey(key).recordId);
    if (row.kind === "unknown")
      yield* this.#once(EXPORTED.record(row.recordId), () => this.#record(row.recordId));
    for (const blob of blobsOf(row)) yield* this.#blob(blob);
    if (row.kind === "turn" && isMain) {
      this.turns = Math.max(this.turns, row.turn);
      yield* this.#once(EXPORTED.brief(row.turn), () => this.#brief(row.turn));
    }
    if (row.kind !== "tool") return;
    for (const { agentId } of row.agents ?? (row.agent ? [row.agent] : [])) this.named.add(agentId);
    yield* this.#call(row.recordId, row.block);
  }

  async *#call(recordId: RecordId, block: number): AsyncGenerator<string> {
    let call: CallDetail | null = null;
    yield* this.#once(EXPORTED.call(recordId, block), async () => {
      call = await unlessGone(async () =>
        settled(() => this.#sessions.call(this.#files.id, recordId, block)),
      );
      // The file before the call is not in this one.
      return call && { ...call, originalLines: null };
    });
    const { results = [], later = [] } = (call ?? {}) as Partial<CallDetail>;
    for (const result of results) {
      if (result.blocks.some((one) => one.kind === "text" && one.text.cut))
        yield* this.#line(result.recordId);
      for (const one of result.blocks) if (one.kind === "blob") yield* this.#blob(one.blob);
    }
    for (const one of later) if (one.told === null) yield* this.#call(one.recordId, one.block);
  }

  #record(recordId: RecordId) {
    return unlessGone(async () => settled(() => this.#sessions.record(this.#files.id, recordId)));
  }

  #brief(turn: number) {
    return unlessGone(() => settled(() => this.#sessions.brief(this.#files.id, turn, null)));
  }

  async *#line(recordId: RecordId): AsyncGenerator<string> {
    yield* this.#once(EXPORTED.line(recordId), () =>
      unlessGone(async () => {
        const { stream, bytes } = await this.#sessions.rawRecord(this.#files.id, recordId);
        if (bytes <= MAX_LINE_BYTES) return new Response(stream).text();
        await stream.cancel();
        return null;
      }),
    );
  }

  async *#blob(blob: BlobRef): AsyncGenerator<string> {
    if ((blob.bytes ?? 0) > MAX_BLOB_BYTES || this.#blobBytes > MAX_BLOBS_BYTES) return;
    yield* this.#once(EXPORTED.blob(blob), async (): Promise<ExportedBlob | null> => {
      const read = await unlessGone(() => this.#sessions.blob(this.#files.id, blob.recordId, blob.n));
      if (!read || read.bytes.length > MAX_BLOB_BYTES) return null;
      this.#blobBytes += read.bytes.length;
      return { mediaType: read.mediaType, base64: Buffer.from(read.bytes).toString("base64") };
    });
  }

  /** An element that several rows may request; none for what does not exist. */
  async *#once(id: string, read: () => Promise<unknown>): AsyncGenerator<string> {
    if (this.#written.has(id)) return;
    this.#written.add(id);
    const value = await read();
    if (value !== null) yield dataElement(id, value);
  }
}

function hasCutText(row: Row): boolean {
  return Object.values(row).some(
    (value) => typeof value === "object" && value !== null && "cut" in value && value.cut === true,
  );
}

function blobsOf(row: Row): readonly BlobRef[] {
  if (row.kind === "blob") return [row.blob];
  return "blobs" in row ? row.blobs : [];
}
