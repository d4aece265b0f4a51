import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionId } from "@/lib/wire/ids";
import type { Catalog } from "./catalog/catalog";
import type { SessionFiles } from "./catalog/session-files";
import type { RequestActivity } from "./request-activity";
import type { SessionNumbers } from "./session-queries";
import { isViewerError } from "./viewer-error";

/** A stream of requests may hold a scan back, never starve it. */
const STEP_ASIDE_MS = 250;

type Summarize = (files: SessionFiles) => Promise<SessionNumbers>;

/** The second pass: scans every session in full, last active first, one at a time, behind all requests. */
export class Scanner {
  readonly #catalog: Catalog;
  readonly #summarize: Summarize;
  readonly #activity: RequestActivity;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(catalog: Catalog, summarize: Summarize, activity: RequestActivity) {
    this.#catalog = catalog;
    this.#summarize = summarize;
    this.#activity = activity;
  }

  /** True while sessions are being scanned. */
  get busy(): boolean {
    return this.#running !== null;
  }

  /** Scans whatever is due, until nothing is. Joins a run under way. */
  run(): Promise<void> {
    this.#running ??= this.#scanAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  stop(): void {
    this.#stopped = true;
  }

  async #scanAll(): Promise<void> {
    for (let due = this.#catalog.due(); due.length > 0 && !this.#stopped; due = this.#catalog.due()) {
      for (const id of due) {
        await nextTurn();
        await this.#activity.quiet(STEP_ASIDE_MS);
        if (this.#stopped) return;
        await this.#scan(id);
      }
    }
  }

  async #scan(id: SessionId): Promise<void> {
    try {
      const files = this.#catalog.sessionFiles(id);
      // Taken before the scan: what is appended meanwhile makes the session due again.
      const bytes = files.agents.reduce((sum, agent) => sum + agent.bytes, files.main.bytes);
      this.#catalog.setNumbers(id, await this.#summarize(files), bytes);
    } catch (error) {
      if (isViewerError(error)) {
        const { code, message, hint } = error;
        this.#catalog.setProblem(id, { code, message, hint });
        return;
      }
      // A bug that one session shows must not keep the others from being scanned.
      console.error(error);
      this.#catalog.setProblem(id, {
        code: "scan-failed",
        message: "Backscroll failed to scan this session",
        hint: "This is a bug. The terminal that runs Backscroll shows where.",
      });
    }
  }
}
