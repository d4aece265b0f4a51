import type { Rewriting } from "@/lib/redact/home-folder";
import type { Scans } from "@/lib/server/index/scan-pool";
import type { Catalog } from "@/lib/server/library/catalog";
import type { LibraryTotals } from "@/lib/server/library/library-totals";
import type { ComparePairResponse, CompareResponse } from "@/lib/wire/compare";
import type { BlameResponse, FileAt, FileVersionsResponse, TouchedFilesResponse } from "@/lib/wire/files";
import type { GraphResponse, GraphSegment, MinimapResponse } from "@/lib/wire/graph";
import type { BranchId, RecordId, SessionId } from "@/lib/wire/ids";
import type { ApiMessage, MessagesResponse } from "@/lib/wire/model-requests/messages";
import type { FactsResponse } from "@/lib/wire/model-requests/session-facts";
import type { RequestsPage, SessionRequestsResponse } from "@/lib/wire/model-requests/session-requests";
import type { CallDetail, OriginalLines, RecordDetail } from "@/lib/wire/record";
import type { CompareQuery } from "@/lib/wire/requests/compare";
import type { FileAtRequest } from "@/lib/wire/requests/files";
import type { RequestsQuery } from "@/lib/wire/requests/model-requests";
import type { RelatedPage } from "@/lib/wire/requests/records";
import type { SpansCut, SpansQuery } from "@/lib/wire/requests/spans";
import type { ErrorsQuery, MinimapQuery, OutlineQuery, RowsQuery } from "@/lib/wire/requests/threads";
import type { Checked, Page } from "@/lib/wire/requests/values";
import type { RowsResponse } from "@/lib/wire/rows";
import type {
  AgentsResponse,
  BranchesResponse,
  CommitsResponse,
  ErrorsResponse,
  FilesResponse,
  OrScanning,
  OutlineResponse,
  RelatedResponse,
  ScanProgress,
  SessionDetail,
  TurnBrief,
} from "@/lib/wire/session";
import type { Span, SpansPage, SpansResponse } from "@/lib/wire/spans";
import { callDetail } from "./answers/call-detail";
import { originalLines } from "./answers/file-diffs";
import { pageOfAgents, pageOfBranches, pageOfFiles, pageOfRelated } from "./answers/pages-of-lists";
import { blobOf, rawRecord, recordDetail } from "./answers/record-detail";
import { sessionCommits } from "./answers/session-commits";
import { detailOf } from "./answers/session-detail";
import { graphOf, minimapOf, segmentOf } from "./answers/session-map";
import { errorsOf, outlineOf } from "./answers/session-outline";
import { rowsOf } from "./answers/session-rows";
import { pageOfSpans, type SpanGroupsQuery, spanGroups, spansOfBranch } from "./answers/session-spans";
import { turnBrief } from "./answers/turn-brief";
import { compareSides } from "./compare/compare-sides";
import { comparedRows } from "./compare/compared-rows";
import { blameOf, fileAndMore, filesTouched, fileVersions } from "./files/session-files";
import { isLogRewritten } from "./logs-read";
import type { OpenSession } from "./open-session";
import { RelatedSessions } from "./related-sessions";
import { sentMessages } from "./request/sent-messages";
import { sessionFacts } from "./requests/session-facts";
import { pageOfRequests, sessionRequests } from "./requests/session-requests";
import { markRunning, type RunningCalls } from "./running-calls";
import { rowsOfBeginning } from "./session-beginning";
import { SessionCache } from "./session-cache";
import { messagesOfPart, type PartQuery, partOf, type SessionPart, WHOLE_THREAD } from "./session-part";
import { SessionReader } from "./session-reader";

/** The queries of the routes about one session. Every method throws ViewerErrors for what does not exist. */
export type SessionQueries = {
  /** The same queries with secrets replaced: in everything that is read, before it is cut, and in all other texts. */
  redactedBy(redaction: Rewriting): SessionQueries;
  /** The session as its files are now, for those who follow it. */
  latest: (id: SessionId) => Promise<OpenSession>;
  /** Its files were written to: the next answer includes that, even if the last one is only a moment old. */
  changed(id: SessionId): void;
  detail(id: SessionId): Promise<OrScanning<SessionDetail>>;
  branches(id: SessionId, page: Page): Promise<OrScanning<BranchesResponse>>;
  agents(id: SessionId, page: Page): Promise<OrScanning<AgentsResponse>>;
  files(id: SessionId, page: Page): Promise<OrScanning<FilesResponse>>;
  /** A file as it was after a step, when a record was written (`at`), or in the end. */
  file(id: SessionId, query: Checked<typeof FileAtRequest>): Promise<OrScanning<FileAt>>;
  fileVersions(id: SessionId, path: string): Promise<OrScanning<FileVersionsResponse>>;
  /** Every file that calls read or changed. */
  touchedFiles(id: SessionId): Promise<OrScanning<TouchedFilesResponse>>;
  /** The step from which each line of that file comes. */
  blame(id: SessionId, path: string, at: string | null): Promise<OrScanning<BlameResponse>>;
  /** The commits and pull requests that its own commands name, or the client linked. */
  commits(id: SessionId): Promise<OrScanning<CommitsResponse>>;
  /** A comparison of two branches of the session, or of another session in place of either. */
  compare(id: SessionId, query: CompareQuery): Promise<OrScanning<CompareResponse>>;
  /** The rows of two turns that are paired there. */
  comparedPair(id: SessionId, query: CompareQuery, pair: number): Promise<OrScanning<ComparePairResponse>>;
  graph(id: SessionId): Promise<OrScanning<GraphResponse>>;
  /** The contents of the graph's item that begins with this record: `holds` finer items, or with 0 its rows. */
  graphSegment(id: SessionId, first: RecordId, holds: number): Promise<OrScanning<GraphSegment>>;
  minimap(id: SessionId, query: MinimapQuery): Promise<OrScanning<MinimapResponse>>;
  errors(id: SessionId, query: ErrorsQuery): Promise<OrScanning<ErrorsResponse>>;
  outline: (id: SessionId, query: OutlineQuery) => Promise<OrScanning<OutlineResponse>>;
  /** Where the time of a branch's turns went. */
  spans(id: SessionId, query: SpansQuery): Promise<OrScanning<SpansResponse>>;
  /** The same, as many as an answer holds. */
  spansPage(id: SessionId, query: SpansQuery & SpansCut): Promise<OrScanning<SpansPage>>;
  /** All of them, group by group, made as they are read. */
  spanGroups(id: SessionId, query: SpanGroupsQuery): AsyncGenerator<Span[]>;
  brief(id: SessionId, turn: number, branch: BranchId | null): Promise<OrScanning<TurnBrief>>;
  /** Each of them is read, so a request for one page waits for no others. */
  related(id: SessionId, page?: RelatedPage): Promise<OrScanning<RelatedResponse>>;
  /** Facts about how it went: retries, failed calls, repeated reads, undone edits, tools that were never used. */
  facts(id: SessionId): Promise<OrScanning<FactsResponse>>;
  /** Every request to the model: what filled its window, and why it missed the cache. */
  requests(id: SessionId): Promise<OrScanning<SessionRequestsResponse>>;
  /** Those of one thread, as many as an answer holds. */
  requestsPage(id: SessionId, query: RequestsQuery): Promise<OrScanning<RequestsPage>>;
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
  /** Looks up a branch and turns of it. Throws ViewerErrors that say which there are. */
  part(id: SessionId, query: PartQuery): Promise<OrScanning<SessionPart>>;
  /** The active branch, or a part, as the messages that would be sent next, made as they are read. */
  conversation(id: SessionId, part?: PartQuery): AsyncGenerator<ApiMessage>;
  /** The messages that the model was sent at a record id, uuid or tool-use id. */
  messages(id: SessionId, at: string): Promise<OrScanning<MessagesResponse>>;
  /** `mediaType` is sniffed from the bytes; `null` when it is none that a page may show. */
  blob(
    id: SessionId,
    recordId: RecordId,
    n: number,
  ): Promise<{ bytes: Uint8Array; mediaType: string | null }>;
};

/**
 * Answers all queries about single sessions.
 * @param flags with which `backscroll` reads what this server reads
 */
export function createSessions(
  catalog: Catalog,
  scans: Scans,
  runningCalls: (id: SessionId) => RunningCalls | null = () => null,
  libraryTotals: () => LibraryTotals | null = () => null,
  flags: readonly string[] = [],
): SessionQueries {
  const cache = new SessionCache(catalog, scans);
  const others = new RelatedSessions(catalog, cache, libraryTotals);
  return queriesOf({ catalog, cache, others, runningCalls, flags }, null);
}

/** What the queries are answered from. */
type SessionsWorld = {
  catalog: Catalog;
  cache: SessionCache;
  others: RelatedSessions;
  runningCalls: (id: SessionId) => RunningCalls | null;
  flags: readonly string[];
};

/** The queries as answered to a reader with this redaction, or with none. */
function queriesOf(world: SessionsWorld, redaction: Rewriting | null): SessionQueries {
  const { catalog, cache, others, runningCalls, flags } = world;
  const reader = new SessionReader({ catalog, cache, others }, redaction);
  return {
    redactedBy: (other) => queriesOf(world, other),
    latest: async (id) => reader.seen(await others.link(await cache.latest(id))),
    changed: (id) => cache.changed(id),
    detail: (id) =>
      reader.answer(id, (session) => detailOf(catalog, session, others.sharedTotals(id)?.all ?? null, flags)),
    branches: (id, page) => reader.answer(id, (session) => pageOfBranches(session, page)),
    agents: (id, page) => reader.answer(id, (session) => pageOfAgents(session, page, runningCalls(id))),
    files: (id, page) => reader.answer(id, (session) => pageOfFiles(session, page)),
    file: (id, query) =>
      reader.answer(id, (session) => fileAndMore(session, catalog.surroundings(id), query)),
    touchedFiles: (id) => reader.answer(id, filesTouched),
    fileVersions: (id, path) =>
      reader.answer(id, (session) => fileVersions(session, catalog.surroundings(id), path)),
    blame: (id, path, at) =>
      reader.answer(id, (session) => blameOf(session, catalog.surroundings(id), path, at)),
    commits: (id) => reader.answer(id, sessionCommits),
    compare: (id, query) => reader.compared(id, query, compareSides),
    comparedPair: (id, query, pair) => reader.compared(id, query, (compared) => comparedRows(compared, pair)),
    graph: (id) => reader.answer(id, graphOf),
    graphSegment: (id, first, holds) => reader.answer(id, (session) => segmentOf(session, first, holds)),
    minimap: (id, query) => reader.answer(id, (session) => minimapOf(session, query)),
    errors: (id, query) => reader.answer(id, (session) => errorsOf(session, query)),
    outline: (id, query) => reader.answer(id, (session) => outlineOf(session, query)),
    spans: (id, query) => reader.answer(id, (session) => spansOfBranch(session, query)),
    spansPage: (id, query) => reader.answer(id, (session) => pageOfSpans(session, query)),
    spanGroups: (id, query) => reader.pieces(id, (session) => spanGroups(session, query)),
    brief: (id, turn, branch) => reader.answer(id, (session) => turnBrief(session, turn, branch)),
    related: (id, page = ALL_RELATED) => reader.answer(id, (session) => pageOfRelated(session, page, others)),
    facts: (id) => reader.answer(id, sessionFacts),
    requests: (id) => reader.answer(id, sessionRequests),
    requestsPage: (id, query) => reader.answer(id, (session) => pageOfRequests(session, query)),
    rows: async (id, query) => {
      const begun = query.beginning && !redaction ? await beginningOf(cache, id, query) : null;
      return (
        begun ??
        reader.answer(id, async (session) => {
          return markRunning(await rowsOf(session, query), query.agent, runningCalls(id));
        })
      );
    },
    record: (id, recordId) => reader.answer(id, (session) => recordDetail(session, recordId)),
    rawRecord: (id, recordId) => reader.answerWhole(id, (session) => rawRecord(session, recordId)),
    call: (id, recordId, block) => reader.answer(id, (session) => callDetail(session, recordId, block)),
    originalLines: (id, recordId, block, range) =>
      reader.answer(id, (session) => originalLines(session, recordId, block, range)),
    part: (id, query) => reader.answer(id, (session) => partOf(session, query)),
    conversation: (id, part = WHOLE_THREAD) =>
      reader.pieces(id, (session) =>
        messagesOfPart(session, part, (from, uuid) => reader.findEarlier(from, uuid)),
      ),
    messages: (id, at) =>
      reader.answer(id, (session) =>
        sentMessages(session, at, {
          findRequest: (ref) => reader.findRequest(session, ref),
          findEarlier: (from, uuid) => reader.findEarlier(from, uuid),
        }),
      ),
    blob: (id, recordId, n) => reader.answerWhole(id, (session) => blobOf(session, recordId, n)),
  };
}

/** The first rows of a session whose first scan is taking long; null where they cannot be told, or no longer. */
async function beginningOf(
  cache: SessionCache,
  id: SessionId,
  query: RowsQuery,
): Promise<ScanProgress | null> {
  const begun = await cache.beginning(id);
  if (!begun) return null;
  try {
    const beginning = await rowsOfBeginning(begun.session, query);
    return beginning && { scanning: begun.scanning, beginning };
  } catch (error) {
    if (isLogRewritten(error)) return null;
    throw error;
  }
}

const ALL_RELATED: RelatedPage = { limit: null, cursor: null };
