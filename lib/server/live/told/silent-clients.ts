import { basename, dirname } from "node:path";
import { madeAtMs } from "@/lib/server/disk/kept-files";
import type { SessionFiles } from "@/lib/server/library/session-files";
import type { SessionId } from "@/lib/wire/ids";
import type { SeenClient } from "./asked-calls";
import { type ClientRest, ClientRests } from "./client-rests";
import { steadyNowMs } from "./clock-reading";
import { LogWriters } from "./log-writers";
import { isMidway, type TailFacts } from "./tail-facts";

/** The clients that register nothing, as far as their processes tell of them. On Linux alone. */
export class SilentClients {
  readonly #writers = new LogWriters();
  readonly #rests = new ClientRests();

  /** Takes note of a main log that was read up to `readTo`. Returns the sessions of whose clients something else is known with that. */
  note({ id, main }: SessionFiles, facts: TailFacts, readTo: number): SessionId[] {
    const folder = dirname(main.path);
    // Elsewhere a folder's name does not tell whose logs it has.
    if (main.gone || basename(dirname(folder)) !== "projects") return [];
    const { lastAtMs, lastNodeAtMs } = facts;
    const log = { slug: basename(folder), readTo, lastAtMs, lastNodeAtMs, isMidway: isMidway(facts) };
    return this.#writers.note(id, { ...log, madeAtMs: () => madeAtMs(main.path) });
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
    return { ...writer, wroteAtMs, rest: this.#restOf(writer.pid, nowMs) };
  }

  /** The same of one that runs here and has registered nothing but that; what its log says is the last that it wrote. */
  registered(pid: number, nowMs: number): SeenClient {
    return { pid, lives: true, wroteAtMs: 0, rest: this.#restOf(pid, nowMs) };
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
}
