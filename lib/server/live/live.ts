import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import { Coalescer } from "@/lib/server/runtime/coalescer";
import type { Config } from "@/lib/server/runtime/config";
import { EachByItself } from "@/lib/server/runtime/each-by-itself";
import type { RunningCalls } from "@/lib/server/session/running-calls";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveState } from "@/lib/wire/live";
import { LiveReaders, type StreamRequest, titleOf } from "./live-readers";
import { LiveStates } from "./live-states";
import { LiveSummaries } from "./live-summaries";
import { LogListing } from "./log-listing";
import { LogPaths } from "./log-paths";
import { LogWatch } from "./watch/log-watch";

/** Lines that arrive closer together than this are read together. */
const BATCH_MS = 16;
/** What a session does is told before its rows are read, and hardly waits for those of lines before. */
const STATE_MS = 2;
/** Of logs that are written all the time the states are looked at when their rows are read, and in between but rarely. */
const STATE_REST = 8;
/** A new session is in a new folder as often as not: the folder's event comes some milliseconds before its log's. */
const LIST_EVERY_MS = 100;
/** A listing of thousands of logs takes no more than a fifth of a core. */
const LIST_REST = 4;
const INDEX_EVERY_MS = 1_000;
const TICK_MS = 2_000;
/** A client that is killed writes nothing. */
const PROCESSES_MS = 250;
/** A look at all clients lists the processes, which takes some 0.2 ms. A person takes longer to type a first prompt. */
const CLIENTS_MS = 1_000;
/** A look at the commands of a client that works takes 10 µs. */
const SHELLS_MS = 50;
/** A torn registry entry is complete again as soon as its client has written it. */
const TORN_AGAIN_MS = 50;
const MAX_TORN_READS = 20;
/** Watching starts at the latest after this time, even if the first reading of the library is not done. */
const START_WITHIN_MS = 10_000;
/** Followed sessions are checked this often even without an event: see `#rescan`. */
const RESCAN_MS = 30_000;
/** A log that has grown without one is looked at again so soon. */
const DOUBT_MS = 2_000;

/**
 * Sends changes on disk to connected clients. An event of the watcher only means "check": what has changed
 * is found by reading on from the last complete line, once for all readers.
 */
export class Live {
  readonly #catalog: Catalog;
  readonly #sessions: SessionQueries;
  readonly #scanner: Scanner;
  readonly #watch: LogWatch;
  readonly #paths: LogPaths;
  readonly #logs: LogListing;
  readonly #states: LiveStates;
  readonly #readers: LiveReaders;
  readonly #summaries: LiveSummaries;
  /** Sessions whose logs were written, and whose states were not looked at since. */
  readonly #dirty = new Set<SessionId>();
  /** Sessions whose logs were written, and whose rows were not read since. */
  readonly #unread = new Set<SessionId>();
  readonly #check = new Coalescer(STATE_MS, () => this.#checkDirty(), STATE_REST);
  readonly #checks = new EachByItself<SessionId>(
    (id) => this.#checkIfDirty(id),
    () => this.#check.request(),
  );
  readonly #read = new Coalescer(BATCH_MS, () => this.#readUnread());
  readonly #reads = new EachByItself<SessionId>(
    (id) => this.#readRows(id),
    () => this.#read.request(),
  );
  readonly #listing = new Coalescer(LIST_EVERY_MS, () => this.#list(), LIST_REST);
  /** Apart from listing: the next session must be listed while the last one is being indexed. */
  readonly #indexing = new Coalescer(INDEX_EVERY_MS, () => this.#scanner.run());
  /** At once, each time: what is read is small, and a client empties its file before it writes what it does now. */
  readonly #registry = new Coalescer(0, async () => this.#readRegistry());
  readonly #history = new Coalescer(0, async () => void this.#states.promptsTyped().catch(console.error));
  readonly #shells = new Coalescer(SHELLS_MS, () => this.#lookAtShells());
  readonly #rescans = new Coalescer(DOUBT_MS, () => this.#rescan());
  #tornReads = 0;
  readonly #timers: NodeJS.Timeout[] = [];
  #stopped = false;
  /** Told of every path at which something may have been written. */
  readonly #tellWritten: (path: string) => void;
  /** Called when a client connects. */
  #wake: () => void = () => undefined;

  /** @param written told of every path at which something may have been written */
  constructor(
    catalog: Catalog,
    sessions: SessionQueries,
    scanner: Scanner,
    config: Config,
    written: (path: string) => void = () => undefined,
  ) {
    this.#catalog = catalog;
    this.#sessions = sessions;
    this.#scanner = scanner;
    this.#watch = new LogWatch(
      config.roots,
      (path) => {
        this.touch(path);
        this.#tellWritten(path);
      },
      () => this.#lookAnew(),
    );
    this.#paths = new LogPaths(catalog);
    this.#logs = new LogListing(catalog, this.#paths);
    this.#states = new LiveStates(
      catalog,
      config.roots,
      (state) => {
        const { sessionId } = state;
        this.#shells.request();
        this.#readers.publish({ kind: "state", state, title: titleOf(catalog, sessionId) }, sessionId);
      },
      (sessionId, calls) => {
        const title = titleOf(catalog, sessionId);
        this.#readers.publish({ kind: "calls", sessionId, title, calls }, sessionId);
      },
      config.dataDir,
    );
    this.#readers = new LiveReaders(catalog, sessions, this.#states);
    this.#summaries = new LiveSummaries(catalog, scanner, this.#paths, this.#readers, (id) => this.#miss(id));
    this.#tellWritten = written;
  }

  /**
   * Starts to watch once the first listing is done: at once if a client is connected, otherwise when the library has been
   * read, or soon. Walking all folders to set up their watches costs as much as reading 100 MB of logs. Resolves when all
   * recent sessions have been looked at.
   */
  async start(firstReading: Promise<void>): Promise<void> {
    await this.#untilWanted(firstReading);
    if (this.#stopped) return;
    await this.#watch.start();
    if (this.#stopped) return;
    // What follows waits for no log.
    const checked = this.#states.start();
    this.#nameRunning();
    this.#timers.push(setInterval(() => this.#states.tick(), TICK_MS).unref());
    this.#timers.push(setInterval(() => this.#checkProcesses(), PROCESSES_MS).unref());
    this.#timers.push(setInterval(() => this.#lookAtClients(), CLIENTS_MS).unref());
    this.#timers.push(setInterval(() => this.#rescans.request(), RESCAN_MS).unref());
    this.#rescans.request();
    // Finds sessions and agents that began between the listing and the watches.
    this.#logs.begin();
    this.#listing.request();
    // Lines that were appended to sessions already read need not wait for that.
    for (const id of this.#readers.followed) this.#written(id);
    await checked;
  }

  /** How many folders are watched, and how many of them are polled since the system has no watch left for them. */
  get coverage(): { folders: number; polled: number } {
    return this.#watch.coverage;
  }

  /** What a session is doing; `null` where that was not determined since the server started. */
  state(id: SessionId): LiveState | null {
    return this.#states.get(id);
  }

  /** Its unfinished calls; `null` for a session that neither runs nor waits. */
  runningCalls(id: SessionId): RunningCalls | null {
    return this.#states.runningCalls(id);
  }

  /** Every session whose state was determined since the server started. */
  recent(): LiveState[] {
    return this.#states.recent();
  }

  /** The sessions that are running, waiting or may continue. */
  active(): LiveState[] {
    return this.#states.active();
  }

  /** A stream for one reader, starting with its hello. Throws `too-many-streams` and `session-not-found`. */
  open(request: StreamRequest): ReadableStream<Uint8Array> {
    this.#wake();
    const stream = this.#readers.open(request);
    this.#shells.request();
    return stream;
  }

  /** What readers put on a session has changed, and with it what the library shows; `null`: of none in particular. */
  annotationsChanged(id: SessionId | null): void {
    this.#readers.publish({ kind: "annotations-changed", sessionId: id }, id);
    if (id !== null) this.#summaries.publish(id);
  }

  /** Called when this file or folder may have changed. */
  touch(path: string): void {
    if (path.endsWith(".json") && !path.endsWith(".meta.json")) return this.#registry.request();
    if (this.#watch.isHistory(path)) return this.#history.request();
    const id = this.#paths.sessionOf(path);
    if (id) {
      this.#written(id);
      // What was typed first is its title.
      if (this.#catalog.isListedEarly(id)) this.#listAgain(path);
    } else if (/\.(jsonl|meta\.json)\b/i.test(path) || !/\.[a-z]+$/.test(path)) {
      this.#listAgain(path);
    }
  }

  #listAgain(path: string): void {
    this.#logs.add(path);
    this.#listing.request();
  }

  /** Ends all watches, timers and streams. Nothing is told afterwards. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
    for (const timer of this.#timers) clearInterval(timer);
    for (const task of [
      this.#check,
      this.#read,
      this.#summaries,
      this.#listing,
      this.#indexing,
      this.#registry,
      this.#history,
      this.#rescans,
      this.#shells,
    ])
      task.stop();
    this.#readers.close();
    this.#watch.stop();
  }

  /** Watches were set again: what was written to a root before that was told by none. */
  #lookAnew(): void {
    this.#registry.request();
    this.#history.request();
    for (const id of this.#readers.followed) this.#miss(id);
    this.#listing.request();
  }

  async #untilWanted(firstReading: Promise<void>): Promise<void> {
    if (this.#readers.isAny) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, START_WITHIN_MS).unref();
      // A failure is handled by whoever started the reading.
      firstReading.then(resolve, resolve);
    });
  }

  #readRegistry(): void {
    const { torn, checked } = this.#states.registryChanged();
    // What another client does now must not wait for the log of this one.
    checked.catch(console.error);
    // At once: the next log may be made in a moment.
    this.#nameRunning();
    this.#tornReads = torn ? this.#tornReads + 1 : 0;
    if (torn && this.#tornReads < MAX_TORN_READS && !this.#stopped)
      setTimeout(() => this.#registry.request(), TORN_AGAIN_MS).unref();
  }

  #checkProcesses(): void {
    this.#states.checkProcesses();
    this.#nameRunning();
  }

  /** Whose logs are listed before they have a message. Of one that came to nothing the folder is listed again. */
  #nameRunning(): void {
    if (this.#catalog.setRegistered(this.#states.running())) this.#listing.request();
  }

  /** While somebody looks. */
  #lookAtClients(): void {
    if (this.#readers.isAny) this.#states.lookAtClients();
  }

  /** While somebody looks, and a client works. */
  async #lookAtShells(): Promise<void> {
    if (this.#readers.isAny && this.#states.lookAtShells()) this.#shells.request();
  }

  #written(id: SessionId): void {
    this.#dirty.add(id);
    this.#unread.add(id);
    this.#check.request();
    this.#read.request();
  }

  #checkDirty(): Promise<void> {
    return this.#checks.run(this.#readersFirst(this.#dirty));
  }

  async #checkIfDirty(id: SessionId): Promise<void> {
    if (!this.#dirty.delete(id)) return;
    // Who is told how it stands now asks for its rows at once.
    this.#sessions.changed(id);
    await this.#states.check(id);
  }

  async #readUnread(): Promise<void> {
    const unread = this.#readersFirst(this.#unread);
    await this.#reads.run(unread);
    if (unread.length > 0) this.#summaries.request();
  }

  async #readRows(id: SessionId): Promise<void> {
    this.#unread.delete(id);
    this.#summaries.add(id);
    // The state first: rows depend on which calls are running.
    await this.#checkIfDirty(id);
    await this.#states.checked(id);
    // What was told is on its way through the streams of its answer, and without a turn is sent only with the rows.
    await new Promise(setImmediate);
    await this.#readers.update(id);
    // A request for the session has its folder listed too, so it may be back without another event.
    if (this.#readers.isGone(id)) this.#miss(id);
  }

  /** Sessions with a reader come first. */
  #readersFirst(ids: ReadonlySet<SessionId>): SessionId[] {
    return [...ids].sort((a, b) => Number(this.#readers.follows(b)) - Number(this.#readers.follows(a)));
  }

  #miss(id: SessionId): void {
    this.#logs.miss(id);
    this.#listing.request();
  }

  /** Files were added or removed: lists their folders, and reads what was written in them. */
  async #list(): Promise<void> {
    const { isOtherSet, ofPaths, came, unknown, bytes } = await this.#logs.list();
    if (isOtherSet) this.#readers.publish({ kind: "sessions-changed" }, null);
    // Paths that were unknown when their event came are handled now.
    for (const id of ofPaths) this.#written(id);
    // Its client had made its log before that client was known to run.
    for (const id of came) if (this.#catalog.isListedEarly(id)) this.#written(id);
    // Of all others too: those that are followed are looked at, and those of which no event told.
    if (unknown) {
      const grown = this.#watch.isSilent ? unknown.grown : [];
      for (const id of [...unknown.missed, ...grown, ...this.#readers.followed])
        if (bytes.has(id)) this.#written(id);
    }
    this.#indexing.request();
  }

  /**
   * Some file systems grant watches but send no events. What has changed unnoticed of a followed session is read, and the
   * folder of a log that changes again and again without an event is polled. From then on sessions that begin or go on are
   * looked for in all folders, and prompts that were typed in the history.
   */
  async #rescan(): Promise<void> {
    const looked = new Map<string, number>();
    for (const id of new Set([
      ...this.#readers.followed,
      ...this.#states.active().map(({ sessionId }) => sessionId),
    ])) {
      for (const log of await this.#paths.sizesNow(id)) {
        looked.set(log.path, log.bytes);
        // Of one that is written all the time the listing lags behind.
        if (log.bytes === log.listedBytes || this.#dirty.has(id) || this.#unread.has(id)) continue;
        this.touch(log.path);
        this.#tellWritten(log.path);
      }
    }
    const { doubted, untold } = this.#watch.compareSizes(looked);
    // Nor was anything said of it that was written to the registry before it was polled.
    if (untold.length > 0) this.#registry.request();
    if (doubted.length > 0) this.#rescans.request();
    if (!this.#watch.isSilent) return;
    this.#history.request();
    this.#listing.request();
  }
}
