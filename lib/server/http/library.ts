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
const HELD_BYTES = 88 << 20;
/** What a first reading, or keeping all of it, has left behind is worth it sooner than what answers have. */
const MIN_LEFT_BYTES = 8 << 20;

/** Of the server's thread, whoever is answered. */
const restingMemory = new RestingMemory(() => Atomics.load(requestCount, 0) > 0, HELD_BYTES);

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
    scan: (request, onProgress, bytes) => {
      // What a reader opens should be searchable next, too.
      scanner.prefer(request.files[0]?.path ?? "");
      return pool.scan(request, onProgress, bytes);
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
  const listing = catalog.listFirst(keptIsKnown, takeOverKnown(catalog, config.dataDir, warnings));
  const limits = access.kind === "owner" ? null : guestSearchLimits();
  const search = startSearch({ catalog, scanner, index }, listing, limits);
  const live = new Live(catalog, sessions, scanner, config, written);
  let isOver = false;
  // Not awaited: the server answers from its first moment.
  readLibrary({ catalog, scanner, live, archive, activity }, listing, config.dataDir).catch(
    (error: unknown) => {
      // A link may be taken back before its copy has been read.
      if (isOver) return;
      console.error("Reading the library failed:", error);
      warnings.push(READING_FAILED);
    },
  );
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

/** Takes over what earlier starts wrote down of the logs. What cannot be read of that becomes a warning. */
async function takeOverKnown(catalog: Catalog, dataDir: string | null, warnings: Warning[]): Promise<void> {
  const [{ facts, warning }, damagedIds] = await Promise.all([
    readFactsFile(dataDir),
    keepSessionIds(catalog.ids, dataDir),
  ]);
  warnings.push(...[warning, damagedIds].filter((one) => one !== null));
  catalog.facts.takeOver(facts);
}

/** Reads the logs behind their first listing, and begins to watch and to keep them; ends once all are read and kept. */
async function readLibrary(
  {
    catalog,
    scanner,
    live,
    archive,
    activity,
  }: Pick<Library, "catalog" | "scanner" | "live" | "archive" | "activity">,
  listing: Promise<void>,
  dataDir: string | null,
): Promise<void> {
  const reading = scanner.begin(listing);
  const keeping = archive.begin(listing, reading);
  const listed = listing.then(async () => {
    // What was written after the first look, and before it was watched for, nobody has told of.
    live
      .start(reading)
      .catch((error: unknown) => console.error("Watching the logs failed:", error))
      .finally(() => archive.fill());
    // Before the logs are read whole: a server that is stopped meanwhile starts as quickly the next time.
    if (catalog.facts.revision > 0) await writeFactsFile(dataDir, catalog.facts.entries());
  });
  for (const work of [Promise.all([reading, listed]), keeping]) {
    await work;
    await activity.quiet(AWAIT_QUIET_MS);
    restingMemory.giveBack(MIN_LEFT_BYTES);
  }
}
