import type { TurnBrief } from "@/lib/wire/brief";
import type { DoctorReport } from "@/lib/wire/doctor";
import type { ExtrasResponse, ExtraText } from "@/lib/wire/extras";
import type { GraphResponse, GraphSegment, MinimapResponse } from "@/lib/wire/graph";
import type { Health } from "@/lib/wire/health";
import type { AgentId, BranchId, RecordId, SessionId } from "@/lib/wire/ids";
import type { ProjectsResponse, SessionsQuery, SessionsResponse } from "@/lib/wire/library";
import type { NowResponse } from "@/lib/wire/live";
import type { MessagesResponse } from "@/lib/wire/messages";
import type { CallDetail, OriginalLines, RecordDetail } from "@/lib/wire/record";
import type { RelatedResponse } from "@/lib/wire/related";
import type { BlobRef } from "@/lib/wire/row-base";
import type { Detail, RowsResponse } from "@/lib/wire/rows";
import type {
  AgentsResponse,
  BranchesResponse,
  ErrorsResponse,
  FilesResponse,
  OutlineResponse,
  SessionDetail,
} from "@/lib/wire/session";
import { type GetOptions, getJson, getJsonOnce, getResponse } from "./get-json";

type Options = Omit<GetOptions, "query">;
export type Page = { limit?: number; cursor?: string | null };

/** Which thread of a session, and how much of it. `fold`: turn numbers, as the server takes them. */
export type ThreadQuery = {
  branch?: BranchId | null;
  agent?: AgentId | null;
  detail?: Detail;
  fold?: string | null;
  /** `folded`, then keys of open runs. */
  runs?: string | null;
};
export type RowsQuery = ThreadQuery & { from?: number; around?: RecordId; count?: number };
export type OutlineQuery = Pick<ThreadQuery, "branch" | "detail" | "fold" | "runs"> & {
  from?: number;
  count?: number;
};

const sessionPath = (id: SessionId, rest = "") => `/api/sessions/${encodeURIComponent(id)}${rest}`;
const recordPath = (id: SessionId, recordId: RecordId, rest = "") =>
  sessionPath(id, `/records/${encodeURIComponent(recordId)}${rest}`);

/**
 * Every endpoint that answers with JSON or a file, typed. All throw `ApiError`; all take a signal, and `onScan` for
 * 202. Streams and downloads have modules of their own: `live-stream`, `search-stream`, `download-export`.
 */
export const api = {
  health: (options?: Options) => getJson<Health>("/api/health", options),
  projects: (options?: Options) => getJson<ProjectsResponse>("/api/projects", options),
  now: (options?: Options) => getJson<NowResponse>("/api/now", options),
  sessions: (query: SessionsQuery & Page, options?: Options) =>
    getJson<SessionsResponse>("/api/sessions", { ...options, query }),
  session: (id: SessionId, options?: Options) => getJson<SessionDetail>(sessionPath(id), options),
  /** The sessions that share history with one. */
  related: (id: SessionId, options?: Options) =>
    getJson<RelatedResponse>(sessionPath(id, "/related"), options),
  /** What else the client keeps of a session. */
  extras: (id: SessionId, options?: Options) => getJson<ExtrasResponse>(sessionPath(id, "/extras"), options),
  extra: (id: SessionId, extraId: string, options?: Options) =>
    getJson<ExtraText>(sessionPath(id, `/extras/${encodeURIComponent(extraId)}`), options),
  /** What was read, of one session or of all (`null`). */
  doctor: (session: string | null, options?: Options) =>
    getJson<DoctorReport>("/api/doctor", { ...options, query: { session } }),
  branches: (id: SessionId, query: Page, options?: Options) =>
    getJson<BranchesResponse>(sessionPath(id, "/branches"), { ...options, query }),
  agents: (id: SessionId, query: Page, options?: Options) =>
    getJson<AgentsResponse>(sessionPath(id, "/agents"), { ...options, query }),
  files: (id: SessionId, query: Page, options?: Options) =>
    getJson<FilesResponse>(sessionPath(id, "/files"), { ...options, query }),
  outline: (id: SessionId, query: OutlineQuery, options?: Options) =>
    getJson<OutlineResponse>(sessionPath(id, "/outline"), { ...options, query }),
  graph: (id: SessionId, options?: Options) => getJson<GraphResponse>(sessionPath(id, "/graph"), options),
  /** What an item of the graph holds: `holds` finer items, or with 0 its rows. */
  graphSegment: (id: SessionId, segment: RecordId, holds: number, options?: Options) =>
    getJson<GraphSegment>(sessionPath(id, "/graph"), { ...options, query: { segment, holds } }),
  /** Where things stand in a thread's rows. */
  minimap: (
    id: SessionId,
    { find, ...query }: ThreadQuery & { find: readonly RecordId[] },
    options?: Options,
  ) =>
    getJson<MinimapResponse>(sessionPath(id, "/graph"), {
      ...options,
      query: { ...query, rows: true, find: find.join(",") },
    }),
  /** Where errors are: in a thread's rows, hidden by this view of it, and elsewhere. */
  errors: (id: SessionId, query: ThreadQuery, options?: Options) =>
    getJson<ErrorsResponse>(sessionPath(id, "/errors"), { ...options, query }),
  rows: (id: SessionId, query: RowsQuery, options?: Options) =>
    getJson<RowsResponse>(sessionPath(id, "/rows"), { ...options, query }),
  /** Rows from the first on; while a session is first read those that it is sure to begin with, if they are known. */
  firstRows: (id: SessionId, query: ThreadQuery & { count: number }, options?: Options) =>
    getJsonOnce<RowsResponse>(sessionPath(id, "/rows"), { ...options, query: { ...query, beginning: true } }),
  record: (id: SessionId, recordId: RecordId, options?: Options) =>
    getJson<RecordDetail>(recordPath(id, recordId), options),
  call: (id: SessionId, recordId: RecordId, block: number, options?: Options) =>
    getJson<CallDetail>(sessionPath(id, `/calls/${encodeURIComponent(recordId)}`), {
      ...options,
      query: { block },
    }),
  /** Lines of the file before a call that changed it; fewer than asked for where they are long. */
  originalLines: (
    id: SessionId,
    recordId: RecordId,
    block: number,
    from: number,
    to: number,
    options?: Options,
  ) =>
    getJson<OriginalLines>(sessionPath(id, `/calls/${encodeURIComponent(recordId)}`), {
      ...options,
      query: { block, original: `${from}-${to}` },
    }),
  /** What the model was sent before it wrote this record. */
  messages: (id: SessionId, at: RecordId, options?: Options) =>
    getJson<MessagesResponse>(sessionPath(id, "/messages"), { ...options, query: { at } }),
  brief: (id: SessionId, turn: number, branch: BranchId | null, options?: Options) =>
    getJson<TurnBrief>(sessionPath(id, `/turns/${turn}/brief`), { ...options, query: { branch } }),
  /** The record's line as it is on disk, whole. */
  rawRecord: async (id: SessionId, recordId: RecordId, options?: Options) =>
    (await getResponse(recordPath(id, recordId), { ...options, query: { raw: true } })).text(),
  /** An image or document; show it through `URL.createObjectURL`, since an `<img>` cannot send the token. */
  blob: async (id: SessionId, { recordId, n }: Pick<BlobRef, "recordId" | "n">, options?: Options) =>
    (await getResponse(recordPath(id, recordId, `/blobs/${n}`), options)).blob(),
};
