import { setTimeout as sleep } from "node:timers/promises";
import type { LogArchive } from "@/lib/server/archive/log-archive";
import { type LibraryIndex, startLibraryIndex } from "@/lib/server/index/library-index";
import { type Scans, startScanPool } from "@/lib/server/index/scan-pool";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { readFactsFile, writeFactsFile } from "@/lib/server/library/facts-cache";
import { keepSessionIds } from "@/lib/server/library/session-ids";
import { Live } from "@/lib/server/live/live";
import { LibraryPrompts, startPromptsThread } from "@/lib/server/prompts/library-prompts";
import type { Config } from "@/lib/server/runtime/config";
import { returnSpareMemory } from "@/lib/server/runtime/heap";
import { RestingMemory } from "@/lib/server/runtime/resting-memory";
import { RequestActivity, requestCount } from "@/lib/server/runtime/slices";
import { type Search, startSearch } from "@/lib/server/search/search";
import { guestSearchLimits } from "@/lib/server/search/search-allowance";
import { SessionSecrets, startSecretsThread } from "@/lib/server/secrets/session-secrets";
import { LibraryMisses, startMissesThread } from "@/lib/server/session/requests/library-misses";
import { createSessions, type SessionQueries } from "@/lib/server/session/sessions";
import type { Health, Warning } from "@/lib/wire/library";
import type { Access } from "@/lib/wire/shares";

/** What stops the server's thread for a moment waits so long for one in which nobody is being answered. */
const AWAIT_QUIET_MS = 5_000;
/** What the heap holds from its start, and after a few hundred sessions, is not worth that moment. */
const MIN_SPARE_BYTES = 96 << 20;

/** Of the server's thread, whoever is answered. */
const restingMemory = new RestingMemory(() => Atomics.load(requestCount, 0) > 0, MIN_SPARE_BYTES);

const READING_FAILED: Warning = {
  code: "reading-failed",
  message: "Reading the library failed, so sessions may be missing",
  hint: "This is a bug. The terminal that runs Backscroll shows where.",
};

/** What reads some folders of logs and answers for them: the owner's, or the copy of one session that is shared. */
export type Library = {
  access: Access;
  config: Config;
  catalog: Catalog;
  sessions: SessionQueries;
  index: LibraryIndex;
  scanner: Scanner;
  search: Search;
  activity: RequestActivity;
  live: Live;
  archive: LogArchive;
  secrets: SessionSecrets;
  misses: LibraryMisses;
  prompts: LibraryPrompts;
  /** What readers are told besides what catalogue and index say. */
  warnings: Health["warnings"];
  /** Resolves when nothing is written any more. */
  dispose(): Promise<unknown>;
};

/**
 * Begins to read: the first listing and the scan behind it are under way when it returns.
 * @param written told of every path at which something may have been written
 */
export function startLibrary(
  config: Config,
  { access, archive, written }: { access: Access; archive: LogArchive; written: (path: string) => void },
): Library {
  const catalog = new Catalog(config.roots);
  const index = startLibraryIndex(config.dataDir);
  const pool = startScanPool(() => index.state.path);
  const scans: Scans = {
    scan: (request, onProgress) => {
      // What a reader opens should be searchable next, too.
      scanner.prefer(request.files[0]?.path ?? "");
      return pool.scan(request, onProgress);
    },
  };
  const sessions = createSessions(
    catalog,
    scans,
    (id) => live.runningCalls(id),
    () => scanner.totals,
    config.flags,
  );
  const warnings: Health["warnings"] = [...config.warnings];
  const activity = new RequestActivity(() => restingMemory.noteAnswer());
  const scanner = new Scanner(catalog, index, activity);
  const keptIsKnown = archive.listed();
  const known = [readFactsFile(config.dataDir), keepSessionIds(catalog.ids, config.dataDir)] as const;
  const isReady = Promise.all(known).then(([{ facts, warning }, damagedIds]) => {
    warnings.push(...[warning, damagedIds].filter((one) => one !== null));
    catalog.facts.takeOver(facts);
  });
  const listing = catalog.listFirst(keptIsKnown, isReady);
  const limits = access.kind === "owner" ? null : guestSearchLimits();
  const search = startSearch({ catalog, scanner, index }, listing, limits);
  const live = new Live(catalog, sessions, scanner, config, written);
  const readLibrary = async () => {
    const reading = scanner.begin(listing);
    archive.begin(listing, reading);
    const listed = listing.then(async () => {
      // What was written after the first look, and before it was watched for, nobody has told of.
      live
        .start(reading)
        .catch((error: unknown) => console.error("Watching the logs failed:", error))
        .finally(() => archive.fill());
      // Before the logs are read whole: a server that is stopped meanwhile starts as quickly the next time.
      if (catalog.facts.revision > 0) await writeFactsFile(config.dataDir, catalog.facts.entries());
    });
    await Promise.all([reading, listed]);
    await activity.quiet(AWAIT_QUIET_MS);
    returnSpareMemory(MIN_SPARE_BYTES);
  };
  let isOver = false;
  // Not awaited: the server answers from its first moment.
  readLibrary().catch((error: unknown) => {
    // A link may be taken back before its copy has been read.
    if (isOver) return;
    console.error("Reading the library failed:", error);
    warnings.push(READING_FAILED);
  });
  return {
    access,
    config,
    catalog,
    sessions,
    index,
    scanner,
    search,
    activity,
    live,
    archive,
    misses: new LibraryMisses(catalog, startMissesThread(), () => index.state.path),
    prompts: new LibraryPrompts(
      { catalog, scanner },
      config.roots,
      startPromptsThread(),
      () => index.state.path,
    ),
    secrets: new SessionSecrets(catalog, startSecretsThread(), config.dataDir),
    warnings,
    dispose: () => {
      isOver = true;
      live.stop();
      archive.stop();
      scanner.stop();
      index.stop();
      search.stop();
      return index.ended();
    },
  };
}

const OLD_AFTER_MS = 2000;
/** A listing that takes longer shows in the next answer. */
const WAIT_MS = 150;

type ListedLibrary = Pick<Library, "catalog" | "scanner">;

/**
 * The catalogue for an answer that lists: looked at again when it is older than two seconds, so a
 * reload shows new sessions. Nothing is read between requests. A listing that fails fails the answer; one that fails
 * when the answer has gone out is reported on the terminal.
 */
export async function freshCatalog(library: ListedLibrary): Promise<Catalog> {
  const { catalog } = library;
  if (isOutdated(catalog)) {
    let isLate = false;
    const listing = listAgain(library).catch((error: unknown) => {
      if (!isLate) throw error;
      reportListing(error);
    });
    await Promise.race([listing, sleep(WAIT_MS, undefined, { ref: false })]);
    isLate = true;
  }
  return catalog;
}

/** The same for an answer that does not wait for it: changes on disk appear in the next one. Failures are reported. */
export function renewCatalog(library: ListedLibrary): void {
  if (isOutdated(library.catalog)) listAgain(library).catch(reportListing);
}

function isOutdated({ listed, ageMs }: Catalog): boolean {
  return listed && ageMs > OLD_AFTER_MS;
}

/** Lists, and reads what is new of it behind that. */
async function listAgain({ catalog, scanner }: ListedLibrary): Promise<void> {
  await catalog.list();
  scanner.run().catch((error: unknown) => console.error("Reading the library failed:", error));
}

function reportListing(error: unknown): void {
  console.error("Listing the logs failed:", error);
}
