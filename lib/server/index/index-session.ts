import { statSync } from "node:fs";
import { asString } from "@/lib/records/json";
import type { MetadataRecord } from "@/lib/records/session-record";
import { buildGraph, type SessionGraph } from "@/lib/thread/session-graph";
import { type SessionShare, shareOf } from "@/lib/thread/session-share";
import { SessionTable } from "@/lib/thread/session-table";
import { holdsIndexedText, indexedTexts } from "../search/record-texts";
import { type Scan, scanSession } from "../session/scan-session";
import { numbersOf, type ScanRequest } from "../session/scanned-session";
import { makeChunks } from "./chunk";
import type { EncodedSession, IndexStore, StoredSession } from "./index-store";
import { facetsOf } from "./session-facets";
import { encodeSkeleton } from "./skeleton-codec";
import type { StoredEntry, StoredText, StoredTitles } from "./stored-session";

const NO_TITLES: StoredTitles = { custom: null, ai: null };

/** What the library takes over of a session. */
export type IndexedSession = { entry: StoredEntry; share: SessionShare };

type ReadSession = {
  scan: Scan;
  graph: SessionGraph;
  entry: StoredEntry;
  texts: StoredText[];
  changed: number[];
};

type ReadOptions = {
  known: StoredSession | null;
  wantsTexts: boolean;
  onProgress?: (bytesDone: number) => void;
};

/**
 * Reads what the index does not know of a session yet: nothing, its new lines, or all of it. Saves
 * nothing. Throws what `scanSession` throws, and what SQLite does where the index is damaged.
 */
function readSession(request: ScanRequest, { known, wantsTexts, onProgress }: ReadOptions): ReadSession {
  const texts: StoredText[] = [];
  /** Names of plans, which every line repeats. */
  const slugs = new Set<string>(known?.entry.slugs);
  const messageIds = new Set<string>();
  let titles: StoredTitles = known?.entry.titles ?? NO_TITLES;
  const knownMessages = known?.table.messages.size ?? 0;
  const scan = scanSession(request.root, request.files, {
    onProgress,
    from: known && { table: new SessionTable(known.table), files: known.entry.files },
    onRestart: () => {
      texts.splice(0);
      slugs.clear();
      titles = NO_TITLES;
    },
    onRecord: (record, { key, agentId }, whole) => {
      if (record.kind === "metadata" && agentId === null) titles = withTitle(titles, record);
      if (record.kind === "unreadable") return;
      if (record.kind === "assistant" && record.messageId !== null) messageIds.add(record.messageId);
      const slug = asString(record.json.slug);
      if (slug && !slugs.has(slug)) {
        slugs.add(slug);
        const { atMs, at } = record;
        texts.push({ file: key, offset: at.offset, block: 0, field: "title", atMs, tool: null, text: slug });
      }
      if (!wantsTexts || !holdsIndexedText(record)) return;
      for (const { block, field, text, tool } of indexedTexts(whole())) {
        // A NUL would end the text for SQLite.
        const clean = text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
        texts.push({
          file: key,
          offset: record.at.offset,
          block,
          field,
          atMs: record.atMs,
          tool,
          text: clean,
        });
      }
    },
  });
  const graph = buildGraph(scan.table, request.logs);
  const entry = isUnchanged(scan, known) ? known.entry : entryOf(scan, graph, titles, [...slugs]);
  return { scan, graph, entry, texts, changed: changedMessages(scan.table, messageIds, knownMessages) };
}

/** Brings one session of the index up to date with its files. Returns what the library shows of it. */
export function indexSession(
  store: IndexStore | null,
  request: ScanRequest,
  onProgress?: (bytesDone: number) => void,
): IndexedSession {
  const known = store && loadKnown(store, request);
  const read = readSession(request, { known, wantsTexts: store !== null, onProgress });
  const indexed = { entry: read.entry, share: shareOf(read.scan.table, read.graph) };
  if (!store || read.entry === known?.entry) return indexed;
  store.save(read.scan.continued ? (known?.row ?? null) : null, encode(read));
  if (!read.scan.continued && known && known.entry.files[0]?.path !== read.entry.files[0]?.path)
    store.forget(known.row);
  return indexed;
}

function encode({ scan, graph, entry, texts, changed }: ReadSession): EncodedSession {
  const skeleton = encodeSkeleton(scan.table.toData());
  const share = shareOf(scan.table, graph, scan.continued ? changed : null);
  return { entry, skeleton, chunks: makeChunks(texts), share };
}

/** Messages that are new, and those known ones that have another line: it may say more of their tokens. */
function changedMessages(
  { messages, messageIds }: SessionTable,
  read: ReadonlySet<string>,
  known: number,
): number[] {
  const grown = [...read].map((id) => messageIds.find(id)).filter((message) => message < known);
  return [...grown, ...Array.from({ length: messages.size - known }, (_, at) => known + at)];
}

function loadKnown(store: IndexStore, { files: [main] }: ScanRequest): StoredSession | null {
  const found = main ? statSync(main.path, { throwIfNoEntry: false }) : undefined;
  return main && found ? store.load(main.path, `${found.dev}:${found.ino}`) : null;
}

function isUnchanged(scan: Scan, known: StoredSession | null): known is StoredSession {
  if (!known || !scan.continued || scan.bytesRead > 0) return false;
  const { files, unread } = known.entry;
  const isSame = scan.files.every(
    (file, at) => file.path === files[at]?.path && file.size === files[at]?.size,
  );
  return isSame && files.length === scan.files.length && unread.join() === scan.unread.join();
}

function withTitle(titles: StoredTitles, { type, json }: MetadataRecord): StoredTitles {
  if (type === "custom-title") return { ...titles, custom: asString(json.customTitle) ?? titles.custom };
  return type === "ai-title" ? { ...titles, ai: asString(json.aiTitle) ?? titles.ai } : titles;
}

function entryOf(scan: Scan, graph: SessionGraph, titles: StoredTitles, slugs: string[]): StoredEntry {
  const { files, unread } = scan;
  return {
    files,
    unread,
    titles,
    slugs,
    numbers: numbersOf(scan.table, graph),
    facets: facetsOf(scan.table, graph),
  };
}
