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

/** Where nothing is given of folded runs, none is folded. */
type View<Query extends { runs: unknown }> = Omit<Query, "runs"> & Partial<Pick<Query, "runs">>;

export type OutlineQuery = View<Checked<typeof OutlineRequest>>;

/** Around a record, when one is given: `from` is not used then. */
export type RowsQuery = View<Omit<Checked<typeof RowsRequest>, "beginning">> & { beginning?: boolean };

/** Which thread's errors are looked for, and in which view of it. */
export type ErrorsQuery = View<Checked<typeof ThreadRequest>>;

/** Which thread's rows a minimap draws. `find`: records to be marked, such as hits of a search. */
export type MinimapQuery = ErrorsQuery & Pick<Checked<typeof GraphRequest>, "find">;

/** `ScanProgress` where the first scan of the session takes longer than a request should. */
export type OrScanning<T> = T | ScanProgress;

/** What the routes ask about one session. Every method throws ViewerErrors for what is not there. */
export type SessionQueries = {
  /** The session as its files are now, for those who follow it. */
  latest(id: SessionId): Promise<OpenSession>;
  detail(id: SessionId): Promise<OrScanning<SessionDetail>>;
  branches(id: SessionId, page: Page): Promise<OrScanning<BranchesResponse>>;
  agents(id: SessionId, page: Page): Promise<OrScanning<AgentsResponse>>;
  files(id: SessionId, page: Page): Promise<OrScanning<FilesResponse>>;
  graph(id: SessionId): Promise<OrScanning<GraphResponse>>;
  /** What the graph's item that begins with this record holds: `holds` finer items, or with 0 its rows. */
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
  /** Lines of the file as it was before a call, as many of them as an answer holds. */
  originalLines(
    id: SessionId,
    recordId: RecordId,
    block: number,
    range: { from: number; to: number },
  ): Promise<OrScanning<OriginalLines>>;
  /** The active branch as the messages that would be sent next. */
  conversation(id: SessionId): Promise<OrScanning<ApiMessage[]>>;
  /** What the model was sent at a record id, uuid or tool-use id. */
  messages(id: SessionId, at: string): Promise<OrScanning<MessagesResponse>>;
  /** `mediaType` is sniffed from the bytes; `null` when it is none that a page may show. */
  blob(
    id: SessionId,
    recordId: RecordId,
    n: number,
  ): Promise<{ bytes: Uint8Array; mediaType: string | null }>;
};
