import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FIRST_PID = 4_194_000;

/**
 * A client's entry in the registry of its configuration folder, as 2.1.330 writes it. Its process is in another pid
 * namespace, so that the server has to rely on the entry.
 */
export class ClientRegistry {
  /** The entry’s file. */
  readonly path: string;
  readonly #pid: number;
  readonly #session: string;

  /** @param pid of its process; one with a higher number has started later */
  constructor(dir: string, session: string, pid = FIRST_PID) {
    this.#pid = pid;
    mkdirSync(join(dir, "sessions"), { recursive: true });
    this.path = join(dir, "sessions", `${this.#pid}.json`);
    this.#session = session;
  }

  /** Writes the entry in place, as the client does. */
  tell(status: "idle" | "busy" | "waiting" | "shell", waitingFor?: string, session = this.#session): void {
    const nowMs = Date.now();
    const entry = {
      pid: this.#pid,
      sessionId: session,
      // Before any line that it stands for.
      startedAt: Date.UTC(2025, 0) + this.#pid - FIRST_PID,
      version: "2.1.330",
      entrypoint: "cli",
      pidDomain: "linux:00000000000000000000000000000000:pid:[1]",
      status,
      updatedAt: nowMs,
      statusUpdatedAt: nowMs,
      waitingFor,
    };
    writeFileSync(this.path, JSON.stringify(entry));
  }

  /** Leaves the file half written, as a reader may find it. */
  tear(): void {
    writeFileSync(this.path, `{"pid":${this.#pid},"sess`);
  }

  /** Removes the entry, as when the client exits. */
  leave(): void {
    rmSync(this.path);
  }
}
