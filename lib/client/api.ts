import type { z } from "zod";
import { ownZone } from "@/lib/format/format";
import {
  type Annotation,
  type AnnotationKind,
  type AnnotationsResponse,
  WRITER_HEADER,
} from "@/lib/wire/annotations";
import type { ArchiveResponse, ArchiveSettings } from "@/lib/wire/archive";
import type { ComparePairResponse, CompareResponse } from "@/lib/wire/compare";
import type { DoctorReport } from "@/lib/wire/doctor";
import type {
  BlameResponse,
  FileAt,
  FileSessionsResponse,
  FileVersionsResponse,
  TouchedFilesResponse,
} from "@/lib/wire/files";
import type { GraphResponse, GraphSegment, MinimapResponse } from "@/lib/wire/graph";
import { type BranchId, formatRowKey, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { ErrorBody, Health, ProjectsResponse, SessionsResponse } from "@/lib/wire/library";
import type { NowResponse } from "@/lib/wire/live";
import type { MessagesResponse } from "@/lib/wire/messages";
import type { CallDetail, OriginalLines, RecordDetail } from "@/lib/wire/record";
import type {
  AnnotationBody,
  AnnotationChange,
  AnnotationsRequest,
  Asked,
  BriefRequest,
  CallRequest,
  CompareRequest,
  DoctorRequest,
  DoctorSecretsRequest,
  FileAtRequest,
  FileRequest,
  FileSessionsRequest,
  FileVersionsRequest,
  GraphRequest,
  HitPlacesRequest,
  MessagesRequest,
  OutlineRequest,
  PageRequest,
  PresenceBody,
  RecordRequest,
  RowsRequest,
  SessionsRequest,
  ShareBody,
  SpansRequest,
  ThreadRequest,
  TicketBody,
  UsageMissesRequest,
  UsageRequest,
} from "@/lib/wire/requests";
import type { BlobRef, RowsResponse } from "@/lib/wire/rows";
import type { HitPlacesResponse, SearchHit } from "@/lib/wire/search";
import type { FindingsResponse, SecretsReport } from "@/lib/wire/secrets";
import type {
  AgentsResponse,
  BranchesResponse,
  CommitsResponse,
  ErrorsResponse,
  ExtrasResponse,
  ExtraText,
  FilesResponse,
  OutlineResponse,
  RelatedResponse,
  ScanProgress,
  SessionDetail,
  TurnBrief,
} from "@/lib/wire/session";
import type { FactsResponse } from "@/lib/wire/session-facts";
import type { SessionRequestsResponse } from "@/lib/wire/session-requests";
import type { CreatedShare, SharesResponse } from "@/lib/wire/shares";
import type { SpansResponse } from "@/lib/wire/spans";
import type { UsageMissesResponse, UsageResponse } from "@/lib/wire/usage";
import { withBasePath } from "./base-path";
import { hasJustAnswered, isKnown, noteAnswer, noteLoss, standingOf } from "./known-server";
import { currentShareToken, currentToken, rejectToken, writerSecret } from "./token";

type Options = Omit<GetOptions, "query">;
type Page = Asked<typeof PageRequest>;

/** Which thread of a session, and how much of it. */
export type ThreadQuery = Asked<typeof ThreadRequest>;

/** Which two are compared: a branch, or another session, each. */
export type CompareSides = Pick<Asked<typeof CompareRequest>, "left" | "right">;

const sessionPath = (id: SessionId, rest = "") => `/api/sessions/${encodeURIComponent(id)}${rest}`;
const recordPath = (id: SessionId, recordId: RecordId, rest = "") =>
  sessionPath(id, `/records/${encodeURIComponent(recordId)}${rest}`);

/**
 * Every endpoint that answers with JSON or a file, typed. All throw `ApiError`; all take a signal, and `onScan` for
 * 202. Streams and downloads have modules of their own: `live-stream`, `search-stream`, `download-export`.
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
    const answer = await sendRequest("PUT", "/api/presence", body, { keepalive: body.kind === "end" });
    // Read, or its connection would be held: there are ten a second, and a browser has six.
    await answer.text();
  },
  projects: (options?: Options) => getJson<ProjectsResponse>("/api/projects", options),
  now: (options?: Options) => getJson<NowResponse>("/api/now", options),
  usage: (query: Asked<typeof UsageRequest>, options?: Options) =>
    getJson<UsageResponse>("/api/usage", { ...options, query: { zone: ownZone(), ...query } }),
  usageMisses: (query: Asked<typeof UsageMissesRequest>, options?: Options) =>
    getJson<UsageMissesResponse>("/api/usage/misses", { ...options, query: { zone: ownZone(), ...query } }),
  sessions: (query: Asked<typeof SessionsRequest>, options?: Options) =>
    getJson<SessionsResponse>("/api/sessions", { ...options, query: { zone: ownZone(), ...query } }),
  session: (id: SessionId, options?: Options) => getJson<SessionDetail>(sessionPath(id), options),
  /** What can be counted of how a session went. */
  facts: (id: SessionId, options?: Options) => getJson<FactsResponse>(sessionPath(id, "/facts"), options),
  /** Every request to the model: what filled its window, and why it missed the cache. */
  requests: (id: SessionId, options?: Options) =>
    getJson<SessionRequestsResponse>(sessionPath(id, "/requests"), options),
  /** The sessions that share history with one. */
  related: (id: SessionId, options?: Options) =>
    getJson<RelatedResponse>(sessionPath(id, "/related"), options),
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
  /** What was read, of one session or of all (`null`). */
  doctor: (session: string | null, options?: Options) =>
    getJson<DoctorReport>("/api/doctor", {
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
  spans: (id: SessionId, query: Asked<typeof SpansRequest>, options?: Options) =>
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
    from: number,
    to: number,
    options?: Options,
  ) =>
    getJson<OriginalLines>(sessionPath(id, `/calls/${encodeURIComponent(recordId)}`), {
      ...options,
      query: { block, original: `${from}-${to}` } satisfies Asked<typeof CallRequest>,
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

export type QueryValue = string | number | boolean | null | undefined;

export type GetOptions = {
  query?: Record<string, QueryValue>;
  signal?: AbortSignal | undefined;
  /** The media type to ask for, where an endpoint has more than one. */
  accept?: string;
  /** Called with every 202: the session is being scanned for the first time. */
  onScan?: (progress: ScanProgress["scanning"]) => void;
};

const SCAN_POLL_MS = 250;

/** Sends one GET with the token. Throws `ApiError` unless the answer is 2xx; a 401 also brings up the gate. */
export function getResponse(path: string, { query, signal, accept }: GetOptions = {}): Promise<Response> {
  const headers: HeaderFields = accept ? { Accept: accept } : {};
  return sendWithToken(withQuery(path, query), headers, { signal: signal ?? null });
}

/**
 * Resolves where a GET of this address would be answered with 2xx, for which the server makes nothing. Throws `ApiError`,
 * whose reason is asked for with a GET: an answer to HEAD cannot say it.
 */
export async function checkAnswer(path: string): Promise<void> {
  try {
    await sendWithToken(path, {}, { method: "HEAD" });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    const { body } = await getResponse(path);
    await body?.cancel();
  }
}

type HeaderFields = Record<string, string>;

let tellLost: (text: string) => void = () => undefined;

/** What tells the reader why a page could not be opened. */
export function onLost(tell: (text: string) => void): void {
  tellLost = tell;
}

/**
 * Opens another page, at once where the server has just answered. Else it is asked first: the browser would put its own
 * error, or what another program answers, in the place of what is shown.
 */
export function whenThere(open: () => void): void {
  if (hasJustAnswered()) return open();
  askWhetherThere().then(
    () => open(),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      tellLost(`${error.message} ${error.hint}`);
    },
  );
}

/** Rejects with an ApiError where Backscroll is not there. */
async function askWhetherThere(): Promise<void> {
  const token = currentToken();
  if (token !== null && currentShareToken() === null && !isKnown()) {
    if ((await standingOf(token, send)) === "stranger") throw new ApiError(0, STRANGER);
  } else await (await send("/api/health", {})).body?.cancel();
  noteAnswer();
}

/** Sends a request, again where the token that is refused is not the one that this browser has by now. */
async function sendWithToken(url: string, headers: HeaderFields, request: RequestInit): Promise<Response> {
  const token = currentToken();
  const standing = token === null || currentShareToken() !== null ? "known" : await standingOf(token, send);
  if (standing === "stranger") throw new ApiError(0, STRANGER);
  if (standing === "other") {
    if (isReplaced(token)) return sendWithToken(url, headers, request);
    throw new ApiError(401, REPLACED);
  }
  const response = await send(url, { ...request, headers: { ...headers, ...headersFor(url, token) } });
  if (response.ok) {
    noteAnswer();
    return response;
  }
  if (response.status === 401 && isReplaced(token)) return sendWithToken(url, headers, request);
  throw await readApiError(response);
}

/** The token is not good: the gate comes up, unless this browser has another one by now. */
function isReplaced(token: string | null): boolean {
  rejectToken(token);
  const kept = currentToken();
  return kept !== null && kept !== token;
}

/** Who asks; for comments a guest also says which of them are theirs. */
function headersFor(path: string, token: string | null): HeaderFields {
  const writer = path.startsWith(ANNOTATIONS) ? writerSecret() : null;
  return {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(writer ? { [WRITER_HEADER]: writer } : {}),
  };
}

const ANNOTATIONS = "/api/annotations";

/** A JSON answer. While the server still scans (202) it asks again until the answer is there. */
export async function getJson<Body>(path: string, options: GetOptions = {}): Promise<Body> {
  for (;;) {
    const { body, progress } = await getJsonOnce<Body>(path, options);
    if (!progress) return body;
    options.onScan?.(progress.scanning);
    await scanPause(options.signal);
  }
}

/** The same asked once: the answer, or how far the server is with the scan that it waits for. */
async function getJsonOnce<Body>(path: string, options: GetOptions): Promise<Once<Body>> {
  const response = await getResponse(path, options);
  const json: unknown = await response.json();
  return response.status === 202
    ? { body: null, progress: json as ScanProgress }
    : { body: json as Body, progress: null };
}

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** Sends JSON, and returns the answer. Throws `ApiError`. */
async function sendJson<Body>(method: Method, path: string, body: object): Promise<Body> {
  return (await (await sendRequest(method, path, body)).json()) as Body;
}

/** Sends what changes something. Throws `ApiError` unless the answer is 2xx; a 401 also brings up the gate. */
function sendRequest(method: Method, path: string, body?: object, more: RequestInit = {}): Promise<Response> {
  const headers: HeaderFields = body ? { "Content-Type": "application/json" } : {};
  return sendWithToken(path, headers, { ...more, method, body: body ? JSON.stringify(body) : null });
}

/** A JSON answer while the page waits; `null` where the server gives none, or not at once. */
function getJsonNow<Body>(path: string, query: GetOptions["query"]): Body | null {
  const request = new XMLHttpRequest();
  request.open("GET", withBasePath(withQuery(path, query)), false);
  const token = currentToken();
  if (token && currentShareToken() === null && !isKnown()) return null;
  if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
  try {
    request.send();
  } catch (cause) {
    // The server is gone.
    if (cause instanceof DOMException) return null;
    throw cause;
  }
  return request.status === 200 ? (JSON.parse(request.responseText) as Body) : null;
}

type Once<Body> = { body: Body; progress: null } | { body: null; progress: ScanProgress };

/** A path with its query; `null`, `undefined`, `false` and empty values are left out, `true` is 1. */
export function withQuery(path: string, query: GetOptions["query"]): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined || value === false || value === "") continue;
    params.set(name, value === true ? "1" : String(value));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** What answers the page's requests: the server. */
let ask = (url: string, request: RequestInit): Promise<Response> => fetch(withBasePath(url), request);

/** Has something else answer them from now on: an exported file does so itself. */
export function answerWith(answer: typeof ask): void {
  ask = answer;
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await ask(url, { ...request, cache: "no-store", credentials: "omit" });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    noteLoss();
    throw new ApiError(0, UNREACHABLE);
  }
}

function scanPause(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, SCAN_POLL_MS);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** An answer that is not 2xx, or none at all (`status` 0, code `unreachable`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly path: string | null;

  constructor(status: number, { code, message, hint, path }: ErrorBody["error"]) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.path = path ?? null;
  }
}

export const UNREACHABLE: ErrorBody["error"] = {
  code: "unreachable",
  message: "Backscroll does not answer.",
  hint: "Start it again in its terminal; this page goes on by itself.",
};

const REPLACED: ErrorBody["error"] = {
  code: "unauthorised",
  message: "Backscroll has another token now.",
  hint: "Open the link that it printed.",
};

const STRANGER: ErrorBody["error"] = {
  code: "unreachable",
  message: "Something else answers at this address.",
  hint: "Start Backscroll there again, and this page goes on by itself. Where it runs elsewhere, open the link that it printed.",
};

/** Reads the body of a failed answer; one that is not ours still becomes a readable error. */
async function readApiError(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as Partial<ErrorBody>;
    if (body.error?.code) return new ApiError(response.status, body.error);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  return new ApiError(response.status, {
    code: `http-${response.status}`,
    message: `The server answered ${response.status}.`,
    hint: "Reload the page; if it stays, look at the terminal where Backscroll runs.",
  });
}

/** A server-sent event whose data is JSON. `id`: what to resume behind it with, where the server gives one. */
export type ReadEvent<Event> = { id: string | null; event: Event };

/** Puts server-sent events together from pieces of any size; a piece may end anywhere. Pings are none. */
export class EventReader<Event> {
  private rest = "";

  take(piece: string): ReadEvent<Event>[] {
    const parts = (this.rest + piece).split(/\r?\n\r?\n/);
    this.rest = parts.pop() ?? "";
    return parts.flatMap((part) => {
      const lines = part.split(/\r?\n/);
      const [id = null] = valuesOf("id", lines);
      const data = valuesOf("data", lines);
      return data.length > 0 ? [{ id, event: JSON.parse(data.join("\n")) as Event }] : [];
    });
  }
}

/** The values of a field, which one space may separate from its name. */
function valuesOf(name: string, lines: readonly string[]): string[] {
  const own = lines.filter((line) => line.startsWith(`${name}:`));
  return own.map((line) => line.slice(name.length + 1).replace(/^ /, ""));
}
