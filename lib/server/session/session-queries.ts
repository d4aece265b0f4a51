import type { GraphResponse, GraphSegment, MinimapResponse } from "@/lib/wire/graph";
import type { BranchId, RecordId, SessionId } from "@/lib/wire/ids";
import type { ApiMessage, MessagesResponse } from "@/lib/wire/messages";
import type { CallDetail, OriginalLines, RecordDetail } from "@/lib/wire/record";
import type {
  Checked,
  GraphRequest,
  OutlineRequest,
  PageRequest,
  RowsRequest,
  ThreadRequest,
} from "@/lib/wire/requests";
import type { RowsResponse } from "@/lib/wire/rows";
import type {
  AgentsResponse,
  BranchesResponse,
  ErrorsResponse,
  FilesResponse,
  OutlineResponse,
  RelatedResponse,
  ScanProgress,
  SessionDetail,
  TurnBrief,
} from "@/lib/wire/session";
import type { OpenSession } from "./open-session";

/** A page of a collection: `cursor` is an earlier answer's `nextCursor`. */
export type Page = Checked<typeof PageRequest>;

/** Without open runs, no run is folded. */
type View<Query extends { runs: unknown }> = Omit<Query, "runs"> & Partial<Pick<Query, "runs">>;

export type OutlineQuery = View<Checked<typeof OutlineRequest>>;

/** If a record to centre on is given, `from` is ignored. */
export type RowsQuery = View<Omit<Checked<typeof RowsRequest>, "beginning">> & { beginning?: boolean };

/** The thread whose errors are listed, and its view. */
export type ErrorsQuery = View<Checked<typeof ThreadRequest>>;

/** The thread and view whose minimap is drawn. `find`: records to be marked, such as search hits. */
export type MinimapQuery = ErrorsQuery & Pick<Checked<typeof GraphRequest>, "find">;

/** `ScanProgress` where the first scan of the session takes longer than a request should. */
export type OrScanning<T> = T | ScanProgress;

/** Queries about one session, as used by the routes. Every method throws a ViewerError for what does not exist. */
export type SessionQueries = {
  /** The current state of the session's files, for readers that follow it. */
  latest(id: SessionId): Promise<OpenSession>;
  detail(id: SessionId): Promise<OrScanning<SessionDetail>>;
  branches(id: SessionId, page: Page): Promise<OrScanning<BranchesResponse>>;
  agents(id: SessionId, page: Page): Promise<OrScanning<AgentsResponse>>;
  files(id: SessionId, page: Page): Promise<OrScanning<FilesResponse>>;
  graph(id: SessionId): Promise<OrScanning<GraphResponse>>;
  /** The content of the graph item that begins with this record: `holds` finer items, or with 0 its rows. */
  graphSegment(id: SessionId, first: RecordId, holds: number): Promise<OrScanning<GraphSegment>>;
  minimap(id: SessionId, query: MinimapQuery): Promise<OrScanning<MinimapResponse>>;
  errors(id: SessionId, query: ErrorsQuery): Promise<OrScanning<ErrorsResponse>>;
  outline(id: SessionId, query: OutlineQuery): Promise<OrScanning<OutlineResponse>>;
  brief(id: SessionId, turn: number, branch: BranchId | null): Promise<OrScanning<TurnBrief>>;
  related(id: SessionId): Promise<OrScanning<RelatedResponse>>;
  rows(id: SessionId, query: RowsQuery): Promise<OrScanning<RowsResponse>>;
  record(id: SessionId, recordId: RecordId): Promise<OrScanning<RecordDetail>>;
  /** The line's bytes as they are on disk, without the newline. */
  rawRecord(
    id: SessionId,
    recordId: RecordId,
  ): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number }>;
  call(id: SessionId, recordId: RecordId, block: number): Promise<OrScanning<CallDetail>>;
  /** Lines of the file as it was before a call, as many as fit into an answer. */
  originalLines(
    id: SessionId,
    recordId: RecordId,
    block: number,
    range: { from: number; to: number },
  ): Promise<OrScanning<OriginalLines>>;
  /** The active branch as the messages that would be sent next. */
  conversation(id: SessionId): Promise<OrScanning<ApiMessage[]>>;
  /** The messages sent to the model at a record id, uuid or tool-use id. */
  messages(id: SessionId, at: string): Promise<OrScanning<MessagesResponse>>;
  /** `mediaType` is sniffed from the bytes; `null` for a type that a page may not show. */
  blob(
    id: SessionId,
    recordId: RecordId,
    n: number,
  ): Promise<{ bytes: Uint8Array; mediaType: string | null }>;
};
