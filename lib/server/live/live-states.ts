import { faultCode } from "@/lib/server/disk/file-fault";
import { statOf } from "@/lib/server/disk/kept-files";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionFiles } from "@/lib/server/library/session-files";
import type { RootFolder } from "@/lib/server/runtime/config";
import { EachByItself } from "@/lib/server/runtime/each-by-itself";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { RunningCalls } from "@/lib/server/session/running-calls";
import { formatRecordId, MAIN_LOG_KEY, type SessionId } from "@/lib/wire/ids";
import { isInProgress, type SessionSummary } from "@/lib/wire/library";
import type { LiveCall, LiveState } from "@/lib/wire/live";
import { liveState } from "./live-state";
import { AgentCalls } from "./told/agent-calls";
import type { SeenClient } from "./told/asked-calls";
import { ClientShells } from "./told/client-shells";
import { type ClockReading, clockSince, readClocks } from "./told/clock-reading";
import { LogTail, readLastTime } from "./told/log-tail";
import { PromptHistory } from "./told/prompt-history";
import { processLives, Registry } from "./told/registry";
import { SilentClients } from "./told/silent-clients";
import { type SeenCall, sinceStart, type TailFacts } from "./told/tail-facts";

/** Sessions written within this time are checked when the server starts. */
const RECENT_MS = 24 * 60 * 60_000;
/** Of those that no client has registered. */
const MAX_AT_START = 200;
/** Maximum number of agents that run at the same time. */
const MAX_AGENTS = 16;
/** An agent's longest call is ten minutes. */
const WRITTEN_MS = 10 * 60_000;
/** What is known of a log's end takes 70 KB and more. Of so many sessions at rest it is kept, of those written last. */
const MAX_AT_REST = 12;

/** `agents`: when the newest file of an agent changed, and when its last line was written. `readAt`: when all that was read. */
type Known = { facts: TailFacts; agents: AgentsTime; readAt: ClockReading };
type AgentsTime = { mtimeMs: number; lineAtMs: number | null };
/** How it stands, and up to where its log's calls are known to whoever is told. */
type Stand = { state: LiveState; toldTo: number };

/** The live state of every recent session, and which have changed since they were last checked. */
export class LiveStates {
  readonly #catalog: Catalog;
  readonly #registry: Registry;
  readonly #history: PromptHistory;
  readonly #shells = new ClientShells();
  readonly #silent = new SilentClients();
  readonly #stands = new Map<SessionId, Stand>();
  /** What that follows from, of sessions that may change without being written to, and of a few others. */
  readonly #known = new Map<SessionId, Known>();
  readonly #agentCalls = new AgentCalls();
  readonly #tails = new Map<SessionId, LogTail>();
  /** The others, the one written last at the end. */
  readonly #atRest = new Set<SessionId>();
  readonly #checks = new Map<SessionId, Promise<void>>();
  readonly #checkEach = new EachByItself<SessionId>((id) => this.check(id));
  readonly #onChange: (state: LiveState) => void;
  readonly #onCalls: (id: SessionId, calls: LiveCall[]) => void;

  /**
   * @param onChange called with every state that has changed
   * @param onCalls called with the calls that a session and its agents have begun since it was checked last, and with those
   *   that have failed
   */
  constructor(
    catalog: Catalog,
    roots: readonly RootFolder[],
    onChange: (state: LiveState) => void,
    onCalls: (id: SessionId, calls: LiveCall[]) => void = () => undefined,
  ) {
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
    const known = this.#known.get(id);
    const state = this.get(id);
    if (!known || !state || !isInProgress(state)) return null;
    const kind = state.doing?.kind;
    const asks = kind === "permission" || kind === "question" ? kind : null;
    // That of a client which is trusted.
    const entry = state.pid === null ? null : this.#registry.entryOf(uuidOf(id));
    const { pending } = sinceStart(known.facts, entry?.startedAtMs ?? null);
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
      // If a session's log is gone, its agents' logs are used.
      const log = files.main.gone ? newestNow(files) : files.main;
      const known = this.#known.get(id);
      const stand = this.#stands.get(id);
      const tail = this.#tailOf(id);
      const facts = await tail.read(files.root, (log ?? files.main).path);
      const agentCalls = this.#agentCalls.take(files);
      const agents = await this.#agentsTime(files, known?.agents);
      const left = this.#isRegistered(id) ? [] : this.#silent.note(files, facts, tail.readTo);
      const toldTo = Math.max(tail.readTo, (facts.calls.at(-1)?.offset ?? -1) + 1);
      this.#set(files, { facts, agents, readAt: readClocks() }, toldTo);
      for (const other of left) this.#setAgain(other);
      const told = stand ? newCalls(known?.facts.calls ?? [], facts.calls, stand.toldTo) : [];
      const calls = [...told, ...agentCalls];
      if (calls.length > 0) this.#onCalls(id, calls);
    } catch (error) {
      if (!isViewerError(error)) throw error;
      this.#forget(id); // gone
    }
  }

  #tailOf(id: SessionId): LogTail {
    const tail = this.#tails.get(id) ?? new LogTail();
    this.#tails.set(id, tail);
    return tail;
  }

  #forget(id: SessionId): void {
    this.#stands.delete(id);
    this.#letGo(id);
  }

  /** What is left is how it stands; its next line has the log's end read again. */
  #letGo(id: SessionId): void {
    this.#atRest.delete(id);
    this.#known.delete(id);
    this.#tails.delete(id);
    this.#agentCalls.forget(id);
    this.#silent.forget(id);
  }

  /** A session that ended, and that no client has registered, changes when it is written to and not before. */
  #rest(state: LiveState): void {
    const id = state.sessionId;
    this.#atRest.delete(id);
    if (isInProgress(state) || state.state === "idle" || this.#registry.entryOf(uuidOf(id))) return;
    this.#atRest.add(id);
    const [oldest] = this.#atRest;
    if (oldest !== undefined && this.#atRest.size > MAX_AT_REST) this.#letGo(oldest);
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
      const known = this.#known.get(id);
      if (known) this.#set(this.#catalog.sessionFiles(id), known);
      else unknown.push(id);
    }
    await this.#checkAll(unknown);
  }

  /** Updates states that change with time alone: processes end, models go silent. True while any session is worth watching. */
  tick(): boolean {
    let worth = false;
    for (const [id, known] of this.#known) {
      const state = this.get(id);
      if (!state) continue;
      const fresh = Math.abs(clockSince(known.readAt) - (state.lastLineAtMs ?? 0)) < RECENT_MS;
      if (!isInProgress(state) && !(state.state === "idle" && fresh)) continue;
      worth = true;
      try {
        const files = this.#catalog.sessionFiles(id);
        if (newestAgent(files)?.mtimeMs !== (known.agents.mtimeMs || undefined))
          void this.#checkEach.run([id]);
        else this.#set(files, known);
      } catch (error) {
        if (!isViewerError(error)) throw error;
        this.#forget(id);
      }
    }
    return worth;
  }

  /** Of one that registers itself, that alone counts. */
  #silentClient(id: SessionId, nowMs = Date.now()): SeenClient | null {
    return this.#isRegistered(id) ? null : this.#silent.of(id, nowMs);
  }

  #isRegistered(id: SessionId): boolean {
    return this.#registry.entryOf(uuidOf(id)) !== null || this.#registry.endedAtMs(uuidOf(id)) !== null;
  }

  /** Checks whether clients are still running: one that was killed leaves its entry behind, and not all have one. */
  checkProcesses(): void {
    for (const id of this.#silent.ended()) this.#setAgain(id);
    for (const id of this.#known.keys()) {
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
    for (const id of this.#known.keys()) {
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
    const known = id === undefined ? undefined : this.#known.get(id);
    if (id === undefined || !known) return;
    try {
      this.#set(this.#catalog.sessionFiles(id), known);
    } catch (error) {
      if (!isViewerError(error)) throw error; // deleted: the next listing shows it
    }
  }

  /**
   * A copied file has the time of the copy, so the time of its last line counts.
   * @param before not looked for again if nothing was written since
   */
  async #agentsTime(files: SessionFiles, before: AgentsTime | undefined): Promise<AgentsTime> {
    const newest = newestNow(files);
    if (!newest) return { mtimeMs: 0, lineAtMs: null };
    const { path, mtimeMs } = newest;
    if (before?.mtimeMs === mtimeMs) return before;
    const lineAtMs = this.#agentCalls.lineAtMs(files.id, path);
    if (lineAtMs !== null) return { mtimeMs, lineAtMs };
    try {
      return { mtimeMs, lineAtMs: await readLastTime(files.root, path) };
    } catch (error) {
      if (!isViewerError(error)) throw error;
      return { mtimeMs, lineAtMs: null }; // the agent's file is gone, its session is not
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

  #set(files: SessionFiles, known: Known, readTo: number | null = null): void {
    const { facts, agents, readAt } = known;
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
      askingAgents: this.#agentCalls.asking(files.id),
      typed: this.#history.lastOf(uuid),
      client,
      shells: entry ? (lives ? this.#shells.of(entry.pid) : []) : this.#shells.of(client?.pid ?? null),
      nowMs,
    });
    const { state: before, toldTo = 0 } = this.#stands.get(files.id) ?? {};
    this.#stands.set(files.id, { state, toldTo: readTo ?? toldTo });
    this.#known.set(files.id, known);
    this.#rest(state);
    if (JSON.stringify(before) === JSON.stringify(state)) return;
    this.#catalog.setState(files.id, state.state, state.sinceMs);
    this.#onChange(state);
  }
}

/**
 * What is told of calls that were not there, or had not failed, before. A log that was cut tells nothing of old ones.
 * @param toldTo up to where the log had been read before
 */
function newCalls(before: readonly SeenCall[], now: readonly SeenCall[], toldTo: number): LiveCall[] {
  const known = new Map(before.map((call) => [call.id, call]));
  return now.flatMap(({ id, name, subject, offset, text, failed }) => {
    const was = known.get(id);
    if (was ? was.failed || !failed : offset < toldTo) return [];
    const recordId = formatRecordId(MAIN_LOG_KEY, offset);
    return [{ recordId, agentId: null, name, subject, text, failed, isNew: !was }];
  });
}

/** The listing is seconds old: of the agents written last according to it, the one written last now. */
function newestNow({ agents }: SessionFiles): { path: string; mtimeMs: number } | null {
  const recent = [...agents].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MAX_AGENTS);
  const found = recent.map(({ path, mtimeMs }) => {
    return { path, mtimeMs: timeOf(path) ?? mtimeMs };
  });
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs)[0] ?? null;
}

/** Null for a file that is gone or cannot be accessed. */
function timeOf(path: string): number | null {
  try {
    return statOf(path)?.mtimeMs ?? null;
  } catch (error) {
    if (faultCode(error) !== null) return null;
    throw error;
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
