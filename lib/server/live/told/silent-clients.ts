import { basename, dirname } from "node:path";
import { putLatest } from "@/lib/format/lists";
import { madeAtMs } from "@/lib/server/disk/kept-files";
import type { SessionFiles } from "@/lib/server/library/session-files";
import type { SessionId } from "@/lib/wire/ids";
import type { SeenClient } from "./asked-calls";
import { isConnected } from "./client-connections";
import { type ClientRest, ClientRests } from "./client-rests";
import { steadyNowMs } from "./clock-reading";
import { readKeptWriters, writeKeptWriters } from "./kept-writers";
import { LogWriters } from "./log-writers";
import { isMidway, type TailFacts } from "./tail-facts";

const KEEP_EVERY_MS = 1_000;
const MAX_CLIENTS = 64;

/** The clients that register nothing, as far as their processes tell of them. On Linux alone. */
export class SilentClients {
  readonly #writers = new LogWriters();
  readonly #rests = new ClientRests();
  /** When clients began to rest that had no connection then, by their pids. */
  readonly #brokenOff = new Map<number, number>();
  #keepsAtMs = 0;

  /** Takes note of a main log that was read up to `readTo`. Returns the sessions of whose clients something else is known with that. */
  note({ id, main }: SessionFiles, facts: TailFacts, readTo: number): SessionId[] {
    const folder = dirname(main.path);
    // Elsewhere a folder's name does not tell whose logs it has.
    if (main.gone || basename(dirname(folder)) !== "projects") return [];
    const { lastAtMs, lastNodeAtMs } = facts;
    const log = { slug: basename(folder), readTo, lastAtMs, lastNodeAtMs, isMidway: isMidway(facts) };
    return this.#writers.note(id, { ...log, madeAtMs: () => madeAtMs(main.path) });
  }

  /** Takes over what an earlier run knew, before anything is noted. */
  async takeOver(dataDir: string | null): Promise<void> {
    this.#writers.takeOver(await readKeptWriters(dataDir));
  }

  /** Keeps for the next run what is known, where that has changed: at most once a second. */
  async keep(dataDir: string | null, nowMs = steadyNowMs()): Promise<void> {
    if (dataDir === null || nowMs < this.#keepsAtMs || !this.#writers.hasChanged()) return;
    // Meanwhile nothing else is written.
    this.#keepsAtMs = Number.POSITIVE_INFINITY;
    await writeKeptWriters(dataDir, this.#writers.kept());
    this.#keepsAtMs = nowMs + KEEP_EVERY_MS;
  }

  /** Looks at what all clients here have written: of one whose log comes after that, the first lines are known to be its. */
  lookAtAll(): void {
    this.#writers.look();
  }

  /**
   * `null` where it is not certain.
   * @param nowMs now, by the clock that the log's last lines were written by: so is what the client did
   */
  of(id: SessionId, nowMs: number): SeenClient | null {
    const writer = this.#writers.of(id);
    if (!writer) return null;
    const wroteAtMs = writer.wroteAtMs + nowMs - steadyNowMs();
    const { pid } = writer;
    return {
      ...writer,
      wroteAtMs,
      rest: this.#restOf(pid, nowMs),
      isConnected: () => this.#isConnected(pid),
    };
  }

  /** The same of one that runs here and has registered nothing but that; what its log says is the last that it wrote. */
  registered(pid: number, nowMs: number): SeenClient {
    const rest = this.#restOf(pid, nowMs);
    return { pid, lives: true, wroteAtMs: 0, rest, isConnected: () => this.#isConnected(pid) };
  }

  #restOf(pid: number | null, nowMs: number): ClientRest | null {
    const rest = this.#rests.of(pid);
    if (!rest) return null;
    return { ...rest, fromMs: rest.fromMs === null ? null : rest.fromMs + nowMs - steadyNowMs() };
  }

  /** Whether these clients wait for their person. Returns those of which that has changed. */
  look(pids: ReadonlySet<number>): ReadonlySet<number> {
    return this.#rests.look(pids);
  }

  /** The sessions whose clients have ended since this was asked last. */
  ended(): SessionId[] {
    return this.#writers.ended();
  }

  forget(id: SessionId): void {
    this.#writers.forget(id);
  }

  /** Since it rested last: who has broken off has, though it may say something elsewhere later. */
  #isConnected(pid: number | null): boolean | null {
    const fromMs = this.#rests.of(pid)?.fromMs ?? null;
    if (pid === null || fromMs === null) return null;
    if (this.#brokenOff.get(pid) === fromMs) return false;
    const found = isConnected(pid);
    if (found === false) putLatest(this.#brokenOff, pid, fromMs, MAX_CLIENTS);
    return found;
  }
}
