import { ArchivedFiles } from "@/lib/server/archive/archived-files";
import { type LogArchive, startLogArchive } from "@/lib/server/archive/log-archive";
import { setKeptFiles } from "@/lib/server/disk/kept-files";
import { Tickets } from "@/lib/server/export/tickets";
import { type LibraryIndex, startLibraryIndex } from "@/lib/server/index/library-index";
import { type Scans, startScanPool } from "@/lib/server/index/scan-pool";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { readFactsFile, writeFactsFile } from "@/lib/server/library/facts-cache";
import { Live } from "@/lib/server/live/live";
import { type Config, limitHeapGrowth, readConfig } from "@/lib/server/runtime/config";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { type Search, startSearch } from "@/lib/server/search/search";
import { SessionSecrets, startSecretsThread } from "@/lib/server/secrets/session-secrets";
import { createSessions, type SessionQueries } from "@/lib/server/session/sessions";
import type { Health } from "@/lib/wire/library";

/** Raise it with every change of what the state holds: a development reload then remakes it. */
const VERSION = 7;

const READING_FAILED: Health["warnings"][number] = {
  code: "reading-failed",
  message: "Reading the library failed, so sessions may be missing",
  hint: "This is a bug. The terminal that runs Backscroll shows where.",
};

const KEY = Symbol.for("backscroll.state");

export type ServerState = {
  version: number;
  config: Config;
  catalog: Catalog;
  sessions: SessionQueries;
  index: LibraryIndex;
  scanner: Scanner;
  search: Search;
  activity: RequestActivity;
  live: Live;
  archive: LogArchive;
  tickets: Tickets;
  secrets: SessionSecrets;
  /** What readers are told besides what catalogue and index say. */
  warnings: Health["warnings"];
  dispose(): void;
};

/**
 * The one state of this process. On `globalThis`, because instrumentation and routes are bundled
 * apart; made at the first call, with the first listing and the scan behind it under way.
 */
export function getState(): ServerState {
  const holder = globalThis as { [KEY]?: ServerState };
  if (holder[KEY]?.version !== VERSION) {
    holder[KEY]?.dispose();
    holder[KEY] = startState(readConfig());
  }
  return holder[KEY];
}

function startState(config: Config): ServerState {
  limitHeapGrowth();
  const archive = startLogArchive(config);
  // First: threads that are started from here on read what this one does.
  setKeptFiles(archive.folder === null ? null : new ArchivedFiles(archive.folder, archive.listing));
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
  const activity = new RequestActivity();
  const scanner = new Scanner(catalog, index, activity);
  const search = startSearch({ catalog, scanner, index });
  const live = new Live(catalog, sessions, scanner, config, (path) => archive.touch(path));
  const warnings: Health["warnings"] = [...config.warnings];
  const readLibrary = async () => {
    const listing = readFactsFile(config.dataDir)
      .then(({ facts, warning }) => {
        if (warning) warnings.push(warning);
        catalog.facts.takeOver(facts);
      })
      .then(() => catalog.listFirst(archive.listed()));
    const reading = scanner.begin(listing);
    // Behind the index, whether or not it could be made: a reader waits for that, and nobody for this.
    void reading.catch(() => undefined).then(() => archive.fill());
    const listed = listing.then(async () => {
      void live.start(reading);
      // Before the logs are read whole: a server that is stopped meanwhile starts as quickly the next time.
      if (catalog.facts.revision > 0) await writeFactsFile(config.dataDir, catalog.facts.entries());
    });
    await Promise.all([reading, listed]);
  };
  // Not awaited: the server answers from its first moment.
  readLibrary().catch((error: unknown) => {
    console.error("Reading the library failed:", error);
    warnings.push(READING_FAILED);
  });
  const dispose = () => {
    live.stop();
    archive.stop();
    setKeptFiles(null);
    scanner.stop();
    index.stop();
    search.stop();
  };
  return {
    version: VERSION,
    config,
    catalog,
    sessions,
    index,
    scanner,
    search,
    activity,
    live,
    archive,
    tickets: new Tickets(),
    secrets: new SessionSecrets(catalog, startSecretsThread(), config.dataDir),
    warnings,
    dispose,
  };
}
