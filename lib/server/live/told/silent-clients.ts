import { basename, dirname } from "node:path";
import { madeAtMs } from "@/lib/server/disk/kept-files";
import type { SessionFiles } from "@/lib/server/library/session-files";
import type { SessionId } from "@/lib/wire/ids";
import type { SeenClient } from "./asked-calls";
import { ClientRests } from "./client-rests";
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
    const aheadMs = nowMs - steadyNowMs();
    const rest = this.#rests.of(writer.pid);
    const fromMs = rest && rest.fromMs !== null ? rest.fromMs + aheadMs : null;
    return { ...writer, wroteAtMs: writer.wroteAtMs + aheadMs, rest: rest && { ...rest, fromMs } };
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
