import { IncrementalGraph } from "@/lib/log/graph/incremental-graph";
import { countSession } from "@/lib/log/graph/session-counts";
import { buildGraph, type SessionGraph } from "@/lib/log/graph/session-graph";
import { factNames } from "@/lib/log/graph/session-share";
import { asString } from "@/lib/log/records/json";
import type { MetadataRecord } from "@/lib/log/records/session-record";
import type { SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { type GitFacts, GitFinder } from "@/lib/server/scan/git-facts";
import { placeFiles } from "@/lib/server/scan/place-files";
import { queuedPrompts } from "@/lib/server/scan/queued-prompts";
import { type QueuedReports, ReportQueue } from "@/lib/server/scan/queued-reports";
import { type Scan, scanSession } from "@/lib/server/scan/scan-session";
import { numbersOf, type ScanRequest } from "@/lib/server/scan/scanned-session";
import { facetsOf } from "@/lib/server/scan/session-facets";
import type { StoredEntry, StoredFile, StoredText, StoredTitles } from "@/lib/server/scan/stored-session";
import { holdsIndexedText, indexedTexts, queuedTextOf } from "./record-texts";

const NO_TITLES: StoredTitles = { custom: null, ai: null };

/**
 * What is known of a session: its entry, and a table that may not reach as far as that, with its graph if there is one.
 */
export type KnownSession = {
  entry: StoredEntry;
  table: SessionTable;
  files: readonly StoredFile[];
  graph: KnownGraph | null;
};

/** A graph that grows with its table. Its incremental state is made when the table grows for the first time. */
export type KnownGraph = {
  graph: SessionGraph;
  logs: readonly SessionLog[];
  growing: IncrementalGraph | null;
};

/**
 * What the lines of a session contain. `texts` and `messages` are those that no entry knew before, or knew without all
 * of their lines.
 */
export type SessionLines = {
  scan: Scan;
  titles: StoredTitles;
  slugs: string[];
  reports: QueuedReports;
  git: GitFacts;
  texts: StoredText[];
  messages: number[];
};

/**
 * Reads what is not known of a session yet: nothing, its new lines, or everything. Throws what `scanSession` throws.
 */
export function readNewLines(
  request: ScanRequest,
  known: KnownSession | null,
  wantsTexts: boolean,
  onProgress: (bytesDone: number) => void = () => undefined,
): SessionLines {
  const texts: StoredText[] = [];
  /** Names of plans, which every line repeats. */
  const slugs = new Set<string>(known?.entry.slugs);
  const messages = new Set<number>();
  const queue = new ReportQueue(known?.entry.facets.reports);
  const git = new GitFinder(uuidOf(request), known?.entry.facets.git);
  const seen = new Map(known?.entry.files.map(({ key, bytes }) => [key, bytes]));
  let titles: StoredTitles = known?.entry.titles ?? NO_TITLES;
  const scan = scanSession(request.root, request.files, {
    onProgress,
    from: known && { table: known.table, files: known.files, seen: known.entry.files },
    // The graph grows with its table.
    asTheyCome: known?.graph != null,
    onRestart: () => {
      texts.splice(0);
      slugs.clear();
      messages.clear();
      queue.clear();
      git.clear();
      seen.clear();
      titles = NO_TITLES;
    },
    onRecord: (record, { key, agentId }, whole, message) => {
      const { offset } = record.at;
      // Read again for the table alone: the stored one lags behind what has been indexed.
      if (offset < (seen.get(key) ?? 0)) return;
      if (record.kind === "metadata" && agentId === null) titles = withTitle(titles, record);
      if (record.kind === "unreadable") return;
      git.take(record, whole);
      if (record.kind === "assistant") messages.add(message);
      const { atMs } = record;
      const slug = asString(record.json.slug);
      if (slug && !slugs.has(slug)) {
        slugs.add(slug);
        texts.push({ file: key, offset, block: 0, field: "title", atMs, tool: null, text: slug });
      }
      // Queued prompts are distinguished with the table, as the thread does it.
      const report = queuedTextOf(record)?.by === "text" ? queuedTextOf(whole()) : null;
      if (report) queue.take(key, offset, report);
      if (!wantsTexts || !holdsIndexedText(record)) return;
      for (const { block, field, text, tool } of indexedTexts(whole())) {
        // A NUL would end the text for SQLite.
        const clean = text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
        texts.push({ file: key, offset, block, field, atMs, tool, text: clean });
      }
    },
  });
  const reports = queue.reports();
  return {
    scan,
    titles,
    slugs: [...slugs],
    reports,
    git: git.facts(),
    texts,
    messages: withAdvisors(scan.table, messages),
  };
}

/** The uuid in the name of a session's main log, which trailers of commits name. */
function uuidOf({ files: [main] }: ScanRequest): string {
  return /([0-9a-f-]{36})\.jsonl$/.exec(main?.path ?? "")?.[1] ?? "";
}

/** The graph of a session whose lines were read, and its entry: the known one if nothing has changed. */
export function concludeSession(
  read: Pick<SessionLines, "scan" | "titles" | "slugs" | "reports" | "git">,
  logs: readonly SessionLog[],
  known: KnownSession | null,
): { known: KnownGraph; entry: StoredEntry } {
  const knownGraph = graphOf(read.scan, logs, known);
  const entry = isUnchanged(read.scan, known) ? known.entry : entryOf(read, knownGraph.graph);
  return { known: knownGraph, entry };
}

/** The earlier graph with the added records: rebuilt if there is none, or if more than that has changed. */
function graphOf(scan: Scan, logs: readonly SessionLog[], before: KnownSession | null): KnownGraph {
  if (before?.graph && scan.continued && scan.table === before.table) {
    const growing =
      before.graph.growing ?? new IncrementalGraph(scan.table, before.graph.logs, before.graph.graph);
    const growth = growing.grow(logs);
    if (growth) return { graph: growth.graph, logs, growing };
  }
  scan.table = placeFiles(scan.table, null);
  return { graph: buildGraph(scan.table, logs), logs, growing: null };
}

function isUnchanged(scan: Scan, known: KnownSession | null): known is KnownSession {
  if (!known || !scan.continued) return false;
  const { files, unread } = known.entry;
  const isSame = scan.files.every(
    ({ path, size, bytes }, at) =>
      path === files[at]?.path && size === files[at]?.size && bytes === files[at]?.bytes,
  );
  return isSame && files.length === scan.files.length && unread.join() === scan.unread.join();
}

function withTitle(titles: StoredTitles, { type, json }: MetadataRecord): StoredTitles {
  if (type === "custom-title") return { ...titles, custom: asString(json.customTitle) ?? titles.custom };
  return type === "ai-title" ? { ...titles, ai: asString(json.aiTitle) ?? titles.ai } : titles;
}

function entryOf(
  { scan, titles, slugs, reports, git }: Pick<SessionLines, "scan" | "titles" | "slugs" | "reports" | "git">,
  graph: SessionGraph,
): StoredEntry {
  const { files, unread } = scan;
  const counts = countSession(scan.table, graph);
  return {
    files,
    unread,
    titles,
    slugs,
    numbers: numbersOf(scan.table, graph, counts),
    facets: {
      ...facetsOf(scan.table, graph, counts),
      reports,
      prompts: queuedPrompts(
        scan.table,
        files.map(({ key }) => key),
      ),
      git,
    },
    names: factNames(scan.table, graph),
  };
}

/** These messages, and the advisors' that are told by their lines. */
function withAdvisors(table: SessionTable, messages: ReadonlySet<number>): number[] {
  return [...messages].flatMap((message) => [message, ...table.advised.of(message)]);
}
