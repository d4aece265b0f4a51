import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionFiles } from "@/lib/server/library/session-files";
import type { RootFolder } from "@/lib/server/runtime/config";
import { EachByItself } from "@/lib/server/runtime/each-by-itself";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { RunningCalls } from "@/lib/server/session/running-calls";
import type { SessionId } from "@/lib/wire/ids";
import { isInProgress, type SessionSummary } from "@/lib/wire/library";
import type { LiveCall, LiveState } from "@/lib/wire/live";
import { liveState } from "./live-state";
import { type LogEnd, LogEnds } from "./log-ends";
import type { SeenClient } from "./told/asked-calls";
import { ClientShells } from "./told/client-shells";
import { clockSince } from "./told/clock-reading";
import { PromptHistory } from "./told/prompt-history";
import { processLives, Registry } from "./told/registry";
import { SilentClients } from "./told/silent-clients";
import { sinceStart } from "./told/tail-facts";

/** Sessions written within this time are checked when the server starts. */
const RECENT_MS = 24 * 60 * 60_000;
/** Of those that no client has registered. */
const MAX_AT_START = 200;
/** An agent's longest call is ten minutes. */
const WRITTEN_MS = 10 * 60_000;

/** How it stands, and up to where its log's calls are known to whoever is told. */
type Stand = { state: LiveState; toldTo: number };

/** The live state of every recent session, and which have changed since they were last checked. */
export class LiveStates {
  readonly #catalog: Catalog;
  readonly #dataDir: string | null;
  readonly #registry: Registry;
  readonly #history: PromptHistory;
  readonly #shells = new ClientShells();
  readonly #silent = new SilentClients();
  readonly #stands = new Map<SessionId, Stand>();
  readonly #ends = new LogEnds();
  readonly #checks = new Map<SessionId, Promise<void>>();
  readonly #checkEach = new EachByItself<SessionId>((id) => this.check(id));
  readonly #onChange: (state: LiveState) => void;
  readonly #onCalls: (id: SessionId, calls: LiveCall[]) => void;

  /**
   * @param onChange called with every state that has changed
   * @param onCalls called with the calls that a session and its agents have begun since it was checked last, and with those
   *   that have failed
   * @param dataDir where it is kept for the next run which client writes which log
   */
  constructor(
    catalog: Catalog,
    roots: readonly RootFolder[],
    onChange: (state: LiveState) => void,
    onCalls: (id: SessionId, calls: LiveCall[]) => void = () => undefined,
    dataDir: string | null = null,
  ) {
    this.#dataDir = dataDir;
    this.#catalog = catalog;
    this.#registry = new Registry(roots);
    this.#history = new PromptHistory(roots);
    this.#onChange = onChange;
    this.#onCalls = onCalls;
  }

  /** What a session is doing; `null` where that was not determined since the server started. */
  get(id: SessionId): LiveState | null {
    return this.#stands.get(id)?.state ?? null;
  }

  /** Unfinished calls of a session that is running or waiting. */
  runningCalls(id: SessionId): RunningCalls | null {
    const end = this.#ends.get(id);
    const state = this.get(id);
    if (!end || !state || !isInProgress(state)) return null;
    const kind = state.doing?.kind;
    const asks = kind === "permission" || kind === "question" ? kind : null;
    // That of a client which is trusted.
    const entry = state.pid === null ? null : this.#registry.entryOf(uuidOf(id));
    const { pending } = sinceStart(end.facts, entry?.startedAtMs ?? null);
    return {
      ids: new Set(pending.map((call) => call.id)),
      asks,
      asked: state.doing?.recordId ?? null,
      agents: new Set(this.#writtenAgents(id)),
      readTo: this.#stands.get(id)?.toldTo || null,
    };
  }

  /** Every session whose state was determined since the server started. */
  recent(): LiveState[] {
    return [...this.#stands.values()].map(({ state }) => state);
  }

  /** The sessions that are running, waiting or may continue. */
  active(): LiveState[] {
    return this.recent().filter(isInProgress);
  }

  /**
   * Checks the sessions that a client has registered, and those that were written recently, of which the latest. One that
   * cannot be read is told of, and left to its next change. Resolves when all have been checked.
   */
  async start(): Promise<void> {
    await this.#silent.takeOver(this.#dataDir);
    this.#registry.read();
    this.#history.read();
    const nowMs = Date.now();
    const isRegistered = ({ id }: SessionSummary) => this.#registry.entryOf(uuidOf(id)) !== null;
    const latestFirst = this.#catalog
      .summaries()
      .toSorted((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0));
    const registered = latestFirst.filter(isRegistered);
    const recent = latestFirst
      .filter((one) => nowMs - (one.lastActiveAtMs ?? 0) < RECENT_MS && !isRegistered(one))
      .slice(0, MAX_AT_START);
    await this.#checkAll([...registered, ...recent].map(({ id }) => id));
  }

  /** Reads the end of a session's log again. One check of a session waits for the other: each tells what is new since. */
  check(id: SessionId): Promise<void> {
    const before = this.#checks.get(id)?.catch(() => undefined) ?? Promise.resolve();
    const check = before
      .then(() => this.#checkNext(id))
      .finally(() => {
        if (this.#checks.get(id) === check) this.#checks.delete(id);
      });
    this.#checks.set(id, check);
    return check;
  }

  /** Resolves when the check of a session that is under way has ended, however it did. */
  async checked(id: SessionId): Promise<void> {
    await this.#checks.get(id)?.catch(() => undefined);
  }

  /** What fails with one is told, and the others are checked all the same. Resolves when all have been. */
  async #checkAll(ids: readonly SessionId[]): Promise<void> {
    await this.#checkEach.run(ids);
    for (const id of ids) await this.checked(id);
  }

  async #checkNext(id: SessionId): Promise<void> {
    try {
      const files = this.#catalog.sessionFiles(id);
      const { end, readTo, toldTo, calls } = await this.#ends.read(
        files,
        this.#stands.get(id)?.toldTo ?? null,
      );
      const left = this.#isRegistered(id) ? [] : this.#silent.note(files, end.facts, readTo);
      this.#set(files, end, toldTo);
      for (const other of left) this.#setAgain(other);
      if (calls.length > 0) this.#onCalls(id, calls);
    } catch (error) {
      if (!isViewerError(error)) throw error;
      this.#forget(id); // gone
    }
  }

  #forget(id: SessionId): void {
    this.#stands.delete(id);
    this.#ends.forget(id);
    this.#silent.forget(id);
  }

  /**
   * A session that ended, and that no client has registered, changes when it is written to and not before. What is left of
   * one is how it stands; its next line has the log's end read again.
   */
  #keepOrRest({ sessionId: id, ...state }: LiveState): void {
    if (isInProgress(state) || state.state === "idle" || this.#registry.entryOf(uuidOf(id)))
      return this.#ends.keep(id);
    const forgotten = this.#ends.rest(id);
    if (forgotten !== null) this.#silent.forget(forgotten);
  }

  /** The sessions whose clients are known to run here, by their main logs' UUIDs, each with its client's folder. */
  running(): ReadonlyMap<string, string | null> {
    return this.#registry.running();
  }

  /**
   * Handles registered clients that started, ended or changed: at once, of sessions whose logs are known. `checked`: of the
   * others too, whose logs are read first. `torn`: an entry was, and must be read again soon.
   */
  registryChanged(): { torn: boolean; checked: Promise<void> } {
    const { changed, torn } = this.#registry.read();
    return { torn, checked: this.#changed(changed) };
  }

  /** Handles what was typed into sessions, as `registryChanged` does. Resolves when it is handled of all. */
  promptsTyped(): Promise<void> {
    return this.#changed(this.#history.read());
  }

  async #changed(uuids: ReadonlySet<string>): Promise<void> {
    if (uuids.size === 0) return;
    const unknown: SessionId[] = [];
    for (const { id } of this.#catalog.summaries()) {
      if (!uuids.has(uuidOf(id))) continue;
      const end = this.#ends.get(id);
      if (end) this.#set(this.#catalog.sessionFiles(id), end);
      else unknown.push(id);
    }
    await this.#checkAll(unknown);
  }

  /** Updates states that change with time alone: processes end, models go silent. True while any session is worth watching. */
  tick(): boolean {
    let worth = false;
    for (const [id, end] of this.#ends.entries()) {
      const state = this.get(id);
      if (!state) continue;
      const fresh = Math.abs(clockSince(end.readAt) - (state.lastLineAtMs ?? 0)) < RECENT_MS;
      if (!isInProgress(state) && !(state.state === "idle" && fresh)) continue;
      worth = true;
      try {
        const files = this.#catalog.sessionFiles(id);
        if (newestAgent(files)?.mtimeMs !== (end.agents.mtimeMs || undefined)) void this.#checkEach.run([id]);
        else this.#set(files, end);
      } catch (error) {
        if (!isViewerError(error)) throw error;
        this.#forget(id);
      }
    }
    return worth;
  }

  /** Of one that registers itself, that alone counts, where it says how it stands (2.1.90 and 2.1.110 say that it is there). */
  #silentClient(id: SessionId, nowMs = Date.now()): SeenClient | null {
    const entry = this.#registry.entryOf(uuidOf(id));
    if (entry?.status === null) return processLives(entry) ? this.#silent.registered(entry.pid, nowMs) : null;
    return this.#isRegistered(id) ? null : this.#silent.of(id, nowMs);
  }

  #isRegistered(id: SessionId): boolean {
    return this.#registry.entryOf(uuidOf(id)) !== null || this.#registry.endedAtMs(uuidOf(id)) !== null;
  }

  /** Checks whether clients are still running: one that was killed leaves its entry behind, and not all have one. */
  checkProcesses(): void {
    for (const id of this.#silent.ended()) this.#setAgain(id);
    void this.#silent.keep(this.#dataDir);
    for (const id of this.#ends.ids()) {
      const entry = this.#registry.entryOf(uuidOf(id));
      const state = this.get(id);
      if (!entry || !state || state.state === "ended" || state.gone) continue;
      if (processLives(entry) === false) this.#setAgain(id);
    }
  }

  /** Looks at all clients that run here, so that one which begins a session is known from its first line. */
  lookAtClients(): void {
    this.#silent.lookAtAll();
  }

  /** Looks at the processes of clients that work here. False while none does. */
  lookAtShells(): boolean {
    const working = new Map<number, SessionId>();
    for (const id of this.#ends.ids()) {
      const pid = this.#workingPid(id);
      if (pid !== null) working.set(pid, id);
    }
    const pids = new Set(working.keys());
    const silent = new Set([...working].flatMap(([pid, id]) => (this.#silentClient(id) ? [pid] : [])));
    const changed = [...this.#shells.look(pids), ...this.#silent.look(silent)];
    for (const pid of new Set(changed)) this.#setAgain(working.get(pid));
    return working.size > 0;
  }

  /**
   * The process of a client that works and is known to be one of this system; `null` of all others. Before 2.1.280, one
   * that waits may have been answered: it says so later than its processes.
   */
  #workingPid(id: SessionId): number | null {
    const state = this.get(id);
    if (!state?.checked || state.gone) return null;
    if (this.#silentClient(id)) return isInProgress(state) ? state.pid : null;
    const mayGoOn =
      state.doing?.kind === "permission" && this.#registry.entryOf(uuidOf(id))?.pidDomain === null;
    return state.state === "running" || mayGoOn ? state.pid : null;
  }

  /** From what is known already. */
  #setAgain(id: SessionId | undefined): void {
    const end = id === undefined ? undefined : this.#ends.get(id);
    if (id === undefined || !end) return;
    try {
      this.#set(this.#catalog.sessionFiles(id), end);
    } catch (error) {
      if (!isViewerError(error)) throw error; // deleted: the next listing shows it
    }
  }

  #writtenAgents(id: SessionId): string[] {
    try {
      const { agents } = this.#catalog.sessionFiles(id);
      const nowMs = Date.now();
      return agents.flatMap(({ agentId, mtimeMs }) =>
        Math.abs(nowMs - mtimeMs) < WRITTEN_MS ? [agentId] : [],
      );
    } catch (error) {
      if (isViewerError(error)) return [];
      throw error;
    }
  }

  #set(files: SessionFiles, end: LogEnd, toldNow: number | null = null): void {
    const { facts, agents, readAt } = end;
    const uuid = uuidOf(files.id);
    const entry = this.#registry.entryOf(uuid);
    const lives = entry && processLives(entry);
    // What a registry says bears the time of the clock as it is.
    const nowMs = entry ? Date.now() : clockSince(readAt);
    const client = this.#silentClient(files.id, nowMs);
    const state = liveState({
      sessionId: files.id,
      facts,
      entry,
      lives,
      endedAtMs: this.#registry.endedAtMs(uuid),
      agentsAtMs: agents.lineAtMs,
      askingAgents: this.#ends.asking(files.id),
      typed: this.#history.lastOf(uuid),
      client,
      shells: entry ? (lives ? this.#shells.of(entry.pid) : []) : this.#shells.of(client?.pid ?? null),
      nowMs,
    });
    const { state: before, toldTo = 0 } = this.#stands.get(files.id) ?? {};
    this.#stands.set(files.id, { state, toldTo: toldNow ?? toldTo });
    this.#keepOrRest(state);
    if (JSON.stringify(before) === JSON.stringify(state)) return;
    this.#catalog.setState(files.id, state.state, state.sinceMs);
    this.#onChange(state);
  }
}

function newestAgent({ agents }: SessionFiles): SessionFiles["agents"][number] | null {
  return agents.reduce<SessionFiles["agents"][number] | null>(
    (newest, agent) => (newest && newest.mtimeMs >= agent.mtimeMs ? newest : agent),
    null,
  );
}

/** The UUID of the main log, with which a session's id begins. */
function uuidOf(id: SessionId): string {
  return id.slice(0, 36);
}
