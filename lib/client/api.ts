import type { z } from "zod";
import { ownZone } from "@/lib/format/format";
import { type Annotation, type AnnotationKind, type AnnotationsResponse } from "@/lib/wire/annotations";
import type { ArchiveResponse, ArchiveSettings } from "@/lib/wire/archive";
import type { ComparePairResponse, CompareResponse } from "@/lib/wire/compare";
import type { DoctorAnswer } from "@/lib/wire/doctor";
import type {
  BlameResponse,
  FileAt,
  FileSessionsResponse,
  FileVersionsResponse,
  KnownFilesResponse,
  TouchedFilesResponse,
} from "@/lib/wire/files";
import type { GraphResponse, GraphSegment, MinimapResponse } from "@/lib/wire/graph";
import { type BranchId, formatRowKey, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { Health, ProjectsResponse, SessionsResponse } from "@/lib/wire/library";
import type { NowResponse } from "@/lib/wire/live";
import type { MessagesResponse } from "@/lib/wire/model-requests/messages";
import type { FactsResponse } from "@/lib/wire/model-requests/session-facts";
import type { RequestsPage } from "@/lib/wire/model-requests/session-requests";
import type { CallDetail, OriginalLines, RecordDetail } from "@/lib/wire/record";
import type { AnnotationBody, AnnotationChange, AnnotationsRequest } from "@/lib/wire/requests/annotations";
import type { CompareRequest } from "@/lib/wire/requests/compare";
import type { DoctorRequest, DoctorSecretsRequest } from "@/lib/wire/requests/doctor";
import type { TicketBody } from "@/lib/wire/requests/exports";
import type {
  FileAtRequest,
  FileRequest,
  FileSessionsRequest,
  FileVersionsRequest,
  KnownFilesRequest,
} from "@/lib/wire/requests/files";
import type { SessionsRequest } from "@/lib/wire/requests/library";
import type { RequestsRequest } from "@/lib/wire/requests/model-requests";
import type { PresenceBody } from "@/lib/wire/requests/presence";
import type { PromptsRequest, PromptUsesRequest } from "@/lib/wire/requests/prompts";
import type {
  CallRequest,
  MessagesRequest,
  RecordRequest,
  RelatedRequest,
} from "@/lib/wire/requests/records";
import type { HitPlacesRequest, HitStatesBody } from "@/lib/wire/requests/search";
import type { ShareBody } from "@/lib/wire/requests/shares";
import type { SpansRequest } from "@/lib/wire/requests/spans";
import type {
  BriefRequest,
  GraphRequest,
  OutlineRequest,
  RowsRequest,
  ThreadRequest,
} from "@/lib/wire/requests/threads";
import type { UsageMissesRequest, UsagePromptsRequest, UsageRequest } from "@/lib/wire/requests/usage";
import type { Asked, PageRequest } from "@/lib/wire/requests/values";
import type { BlobRef, RowsResponse } from "@/lib/wire/rows";
import type {
  HitPlacesResponse,
  HitStatesResponse,
  PromptsResponse,
  PromptUsesResponse,
  SearchHit,
} from "@/lib/wire/search";
import type { FindingsResponse, SecretsReport } from "@/lib/wire/secrets";
import type {
  AgentsResponse,
  BranchesResponse,
  CommitsResponse,
  ErrorsResponse,
  ExportSizesResponse,
  ExtrasResponse,
  ExtraText,
  FilesResponse,
  OutlineResponse,
  RelatedResponse,
  SessionDetail,
  TurnBrief,
} from "@/lib/wire/session";
import type { CreatedShare, SharesResponse } from "@/lib/wire/shares";
import type { SpansPage, SpansResponse } from "@/lib/wire/spans";
import type { UsageMissesResponse, UsagePromptsResponse, UsageResponse } from "@/lib/wire/usage";
import { getJson, getJsonNow, getJsonOnce, sendJson } from "./connection/json";
import { type GetOptions, getResponse, sendRequest } from "./connection/send";

type Options = Omit<GetOptions, "query">;
type Page = Asked<typeof PageRequest>;

/** Which thread of a session, and how much of it. */
export type ThreadQuery = Asked<typeof ThreadRequest>;

/** Which two are compared: a branch, or another session, each. */
export type CompareSides = Pick<Asked<typeof CompareRequest>, "left" | "right">;

/** The API's address of a session, or of something of it. */
export const sessionPath = (id: SessionId, rest = "") => `/api/sessions/${encodeURIComponent(id)}${rest}`;
const recordPath = (id: SessionId, recordId: RecordId, rest = "") =>
  sessionPath(id, `/records/${encodeURIComponent(recordId)}${rest}`);

/**
 * Every endpoint that answers with JSON or a file, typed. All throw `ApiError`; all take a signal, and `onScan` for
 * 202. How a request is sent is in `connection`. Streams and downloads have modules of their own: `connection/live-stream`,
 * `search-stream`, `download-export`.
 */
export const api = {
  health: (options?: Options) => getJson<Health>("/api/health", options),
  /** What is kept of all that was read. */
  archive: (options?: Options) => getJson<ArchiveResponse>("/api/archive", options),
  archiveSettings: (options?: Options) => getJson<ArchiveSettings>("/api/archive/settings", options),
  saveArchiveSettings: (settings: ArchiveSettings) =>
    sendJson<ArchiveSettings>("PUT", "/api/archive/settings", settings),
  /** The shares that are still good, and the addresses at which their links open. */
  shares: (options?: Options) => getJson<SharesResponse>("/api/shares", options),
  createShare: (body: z.input<typeof ShareBody>) => sendJson<CreatedShare>("POST", "/api/shares", body),
  /** Ends a share, and what is open with it. */
  revokeShare: async (id: string) => {
    await sendRequest("DELETE", `/api/shares/${encodeURIComponent(id)}`);
  },
  /** A ticket, with which the browser's own download is let through once: it can't send the token. */
  ticket: (body: z.input<typeof TicketBody>) => sendJson<{ ticket: string }>("POST", "/api/tickets", body),
  /** What was put on a session, or on all (`null`): of these kinds. */
  annotations: (session: SessionId | null, kinds: readonly AnnotationKind[] = [], options?: Options) =>
    getJson<AnnotationsResponse>("/api/annotations", {
      ...options,
      query: { session, kinds: kinds.join(",") } satisfies Asked<typeof AnnotationsRequest>,
    }),
  annotate: (body: z.input<typeof AnnotationBody>) => sendJson<Annotation>("POST", "/api/annotations", body),
  changeAnnotation: (id: string, change: z.input<typeof AnnotationChange>) =>
    sendJson<Annotation>("PATCH", `/api/annotations/${encodeURIComponent(id)}`, change),
  /** @param revision only where its body is still that of this revision */
  removeAnnotation: async (id: string, revision?: number) => {
    const only = revision === undefined ? "" : `?revision=${revision}`;
    await sendRequest("DELETE", `/api/annotations/${encodeURIComponent(id)}${only}`);
  },
  /** Says what this window presents, or whether it follows. That it ends is sent also while the page goes. */
  presence: async (body: z.input<typeof PresenceBody>) => {
    const answer = await sendRequest("PUT", "/api/presence", body, {
      keepalive: body.kind === "end" || body.kind === "leave",
    });
    // Read, or its connection would be held: there are ten a second, and a browser has six.
    await answer.text();
  },
  projects: (options?: Options) => getJson<ProjectsResponse>("/api/projects", options),
  now: (options?: Options) => getJson<NowResponse>("/api/now", options),
  usage: (query: Asked<typeof UsageRequest>, options?: Options) =>
    getJson<UsageResponse>("/api/usage", { ...options, query: { zone: ownZone(), ...query } }),
  usagePrompts: (query: Asked<typeof UsagePromptsRequest>, options?: Options) =>
    getJson<UsagePromptsResponse>("/api/usage/prompts", { ...options, query: { zone: ownZone(), ...query } }),
  prompts: (query: Asked<typeof PromptsRequest>, options?: Options) =>
    getJson<PromptsResponse>("/api/prompts", { ...options, query: { zone: ownZone(), ...query } }),
  /** The uses of one prompt, by its id in the list. */
  promptUses: (id: string, query: Asked<typeof PromptUsesRequest>, options?: Options) =>
    getJson<PromptUsesResponse>(`/api/prompts/${id}`, { ...options, query: { zone: ownZone(), ...query } }),
  usageMisses: (query: Asked<typeof UsageMissesRequest>, options?: Options) =>
    getJson<UsageMissesResponse>("/api/usage/misses", { ...options, query: { zone: ownZone(), ...query } }),
  sessions: (query: Asked<typeof SessionsRequest>, options?: Options) =>
    getJson<SessionsResponse>("/api/sessions", { ...options, query: { zone: ownZone(), ...query } }),
  session: (id: SessionId, options?: Options) => getJson<SessionDetail>(sessionPath(id), options),
  /** What can be counted of how a session went. */
  facts: (id: SessionId, options?: Options) => getJson<FactsResponse>(sessionPath(id, "/facts"), options),
  /** Requests of a thread to the model: what filled its window, and why it missed the cache. */
  requestsPage: (
    id: SessionId,
    query: Asked<typeof RequestsRequest> & { limit: number },
    options?: Options,
  ) => getJson<RequestsPage>(sessionPath(id, "/requests"), { ...options, query }),
  /** The sessions that share history with one. */
  related: (id: SessionId, query: Asked<typeof RelatedRequest>, options?: Options) =>
    getJson<RelatedResponse>(sessionPath(id, "/related"), { ...options, query }),
  /** What else the client keeps of a session. */
  extras: (id: SessionId, options?: Options) => getJson<ExtrasResponse>(sessionPath(id, "/extras"), options),
  extra: (id: SessionId, extraId: string, options?: Options) =>
    getJson<ExtraText>(sessionPath(id, `/extras/${encodeURIComponent(extraId)}`), options),
  /** Where hits of a search stand. */
  hitPlaces: (hits: readonly SearchHit[], options?: Options) =>
    getJson<HitPlacesResponse>("/api/search/places", {
      ...options,
      query: {
        hits: hits
          .map(({ sessionId, recordId, block }) => `${sessionId}!${formatRowKey(recordId, block)}`)
          .join(","),
      } satisfies Asked<typeof HitPlacesRequest>,
    }),
  /** The states of hits of a search, `MAX_STATED_HITS` at the most. */
  hitStates: (hits: readonly SearchHit[]) =>
    sendJson<HitStatesResponse>("POST", "/api/search/states", {
      hits: hits.map(({ sessionId, recordId, block, field }) => ({
        session: sessionId,
        recordId,
        block,
        field,
      })),
    } satisfies z.input<typeof HitStatesBody>),
  /** What was read, of one session or of all (`null`). */
  doctor: (session: string | null, options?: Options) =>
    getJson<DoctorAnswer>("/api/doctor", {
      ...options,
      query: { session: session as SessionId | null } satisfies Asked<typeof DoctorRequest>,
    }),
  /** The secrets in one session or in all (`null`), by kind and session. */
  secrets: (session: string | null, options?: Options) =>
    getJson<SecretsReport>("/api/doctor/secrets", {
      ...options,
      query: { session: session as SessionId | null } satisfies Asked<typeof DoctorSecretsRequest>,
    }),
  /** What would be redacted in a session. */
  findings: (id: SessionId, options?: Options) =>
    getJson<FindingsResponse>(sessionPath(id, "/findings"), options),
  branches: (id: SessionId, query: Page, options?: Options) =>
    getJson<BranchesResponse>(sessionPath(id, "/branches"), { ...options, query }),
  agents: (id: SessionId, query: Page, options?: Options) =>
    getJson<AgentsResponse>(sessionPath(id, "/agents"), { ...options, query }),
  files: (id: SessionId, query: Page, options?: Options) =>
    getJson<FilesResponse>(sessionPath(id, "/files"), { ...options, query }),
  /** Every file that calls of a session read or changed. */
  touchedFiles: (id: SessionId, options?: Options) =>
    getJson<TouchedFilesResponse>(sessionPath(id, "/touched-files"), options),
  /** The commits and pull requests of a session. */
  commits: (id: SessionId, options?: Options) =>
    getJson<CommitsResponse>(sessionPath(id, "/commits"), options),
  /** How large an export would be in each format, or in the one of its query. */
  exportSizes: (id: SessionId, query: Readonly<Record<string, string | null>>, options?: Options) =>
    getJson<ExportSizesResponse>(sessionPath(id, "/export-sizes"), { ...options, query }),
  /** Two branches, or another session in place of either, beside each other. */
  compare: (id: SessionId, query: CompareSides, options?: Options) =>
    getJson<CompareResponse>(sessionPath(id, "/compare"), { ...options, query }),
  /** The rows of two turns that stand beside each other there. */
  comparedPair: (id: SessionId, query: CompareSides & { pair: number }, options?: Options) =>
    getJson<ComparePairResponse>(sessionPath(id, "/compare"), {
      ...options,
      query: query satisfies Asked<typeof CompareRequest>,
    }),
  /** The sessions that changed a file, by its path or the end of it. */
  fileSessions: (query: Asked<typeof FileSessionsRequest>, options?: Options) =>
    getJson<FileSessionsResponse>("/api/files", { ...options, query }),
  /** The files that sessions changed, those of the latest session first. */
  knownFiles: (query: Asked<typeof KnownFilesRequest>, options?: Options) =>
    getJson<KnownFilesResponse>("/api/files/known", { ...options, query }),
  /** A file's versions, in the order in which they came to be. */
  fileVersions: (id: SessionId, path: string, options?: Options) =>
    getJson<FileVersionsResponse>(sessionPath(id, "/file-versions"), {
      ...options,
      query: { path } satisfies Asked<typeof FileVersionsRequest>,
    }),
  /** A file at a version, or at a record; with `blame` who wrote its lines, with `against` at another version too. */
  file: (id: SessionId, query: Asked<typeof FileAtRequest>, options?: Options) =>
    getJson<FileAt>(sessionPath(id, "/file"), { ...options, query }),
  fileNow: (id: SessionId, query: Asked<typeof FileRequest>) =>
    getJsonNow<FileAt>(sessionPath(id, "/file"), query),
  /** Which step each line of it is from. */
  blame: (id: SessionId, query: Asked<typeof FileRequest>, options?: Options) =>
    getJson<BlameResponse>(sessionPath(id, "/blame"), { ...options, query }),
  outline: (id: SessionId, query: Asked<typeof OutlineRequest>, options?: Options) =>
    getJson<OutlineResponse>(sessionPath(id, "/outline"), { ...options, query }),
  outlineNow: (id: SessionId, query: Asked<typeof OutlineRequest>) =>
    getJsonNow<OutlineResponse>(sessionPath(id, "/outline"), query),
  /** Where the time of a branch's turns went. */
  /** Where the time went, page by page. */
  spansPage: (id: SessionId, query: Asked<typeof SpansRequest> & { limit: number }, options?: Options) =>
    getJson<SpansPage>(sessionPath(id, "/spans"), { ...options, query }),
  /** Some spans, with what they are about. */
  namedSpans: (id: SessionId, query: Asked<typeof SpansRequest> & { only: string }, options?: Options) =>
    getJson<SpansResponse>(sessionPath(id, "/spans"), { ...options, query }),
  graph: (id: SessionId, options?: Options) => getJson<GraphResponse>(sessionPath(id, "/graph"), options),
  /** What an item of the graph holds: `holds` finer items, or with 0 its rows. */
  graphSegment: (id: SessionId, segment: RecordId, holds: number, options?: Options) =>
    getJson<GraphSegment>(sessionPath(id, "/graph"), {
      ...options,
      query: { segment, holds } satisfies Asked<typeof GraphRequest>,
    }),
  /** Where things stand in a thread's rows. */
  minimap: (
    id: SessionId,
    { find, ...query }: ThreadQuery & { find: readonly RecordId[]; q: string | null },
    options?: Options,
  ) =>
    getJson<MinimapResponse>(sessionPath(id, "/graph"), {
      ...options,
      query: { ...query, rows: true, find: find.join(",") } satisfies Asked<typeof GraphRequest>,
    }),
  /** Where errors are: in a thread's rows, hidden by this view of it, and elsewhere. */
  errors: (id: SessionId, query: ThreadQuery, options?: Options) =>
    getJson<ErrorsResponse>(sessionPath(id, "/errors"), { ...options, query }),
  rows: (id: SessionId, query: Asked<typeof RowsRequest>, options?: Options) =>
    getJson<RowsResponse>(sessionPath(id, "/rows"), { ...options, query }),
  /** The same while the page waits, for the browser's own print, which gives no time for anything else. */
  rowsNow: (id: SessionId, query: Asked<typeof RowsRequest>) =>
    getJsonNow<RowsResponse>(sessionPath(id, "/rows"), query),
  /** Rows from the first on; while a session is first read those that it is sure to begin with, if they are known. */
  firstRows: (id: SessionId, query: ThreadQuery & { count: number }, options?: Options) =>
    getJsonOnce<RowsResponse>(sessionPath(id, "/rows"), {
      ...options,
      query: { ...query, beginning: true } satisfies Asked<typeof RowsRequest>,
    }),
  record: (id: SessionId, recordId: RecordId, options?: Options) =>
    getJson<RecordDetail>(recordPath(id, recordId), options),
  call: (id: SessionId, recordId: RecordId, block: number, options?: Options) =>
    getJson<CallDetail>(sessionPath(id, `/calls/${encodeURIComponent(recordId)}`), {
      ...options,
      query: { block } satisfies Asked<typeof CallRequest>,
    }),
  callNow: (id: SessionId, recordId: RecordId, block: number) =>
    getJsonNow<CallDetail>(sessionPath(id, `/calls/${encodeURIComponent(recordId)}`), {
      block,
    } satisfies Asked<typeof CallRequest>),
  /** Lines of the file before a call that changed it; fewer than asked for where they are long. */
  originalLines: (
    id: SessionId,
    recordId: RecordId,
    block: number,
    lines: { from: number; to: number },
    options?: Options,
  ) =>
    getJson<OriginalLines>(sessionPath(id, `/calls/${encodeURIComponent(recordId)}`), {
      ...options,
      query: { block, original: `${lines.from}-${lines.to}` } satisfies Asked<typeof CallRequest>,
    }),
  /** What the model was sent before it wrote this record. */
  messages: (id: SessionId, at: RecordId, options?: Options) =>
    getJson<MessagesResponse>(sessionPath(id, "/messages"), {
      ...options,
      query: { at } satisfies Asked<typeof MessagesRequest>,
    }),
  brief: (id: SessionId, turn: number, branch: BranchId | null, options?: Options) =>
    getJson<TurnBrief>(sessionPath(id, `/turns/${turn}/brief`), {
      ...options,
      query: { branch } satisfies Asked<typeof BriefRequest>,
    }),
  /** The record's line as it is on disk, whole. */
  rawRecord: async (id: SessionId, recordId: RecordId, options?: Options) =>
    (
      await getResponse(recordPath(id, recordId), {
        ...options,
        query: { raw: true } satisfies Asked<typeof RecordRequest>,
      })
    ).text(),
  /** An image or document; show it through `URL.createObjectURL`, since an `<img>` cannot send the token. */
  blob: async (id: SessionId, { recordId, n }: Pick<BlobRef, "recordId" | "n">, options?: Options) =>
    (await getResponse(recordPath(id, recordId, `/blobs/${n}`), options)).blob(),
};
