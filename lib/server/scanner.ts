import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionId } from "@/lib/wire/ids";
import type { Catalog } from "./catalog/catalog";
import { type FoundTitle, findTitle } from "./catalog/find-title";
import { READ_WHOLE_BYTES } from "./catalog/read-log-facts";
import type { SessionFiles } from "./catalog/session-files";
import { titleLine } from "./catalog/session-summary";
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

  /** The title, where the first pass cannot have seen the whole log. */
  async #title({ id, root, main }: SessionFiles): Promise<Partial<FoundTitle>> {
    if (main.bytes <= READ_WHOLE_BYTES) return {};
    const found = await findTitle(root, main.path);
    const custom = this.#catalog.summary(id).titleSource === "custom";
    return found && !(custom && found.titleSource === "ai")
      ? { ...found, title: titleLine(found.title) }
      : {};
  }

  async #scan(id: SessionId): Promise<void> {
    try {
      const files = this.#catalog.sessionFiles(id);
      // Taken before the scan: what is appended meanwhile makes the session due again.
      const bytes = files.agents.reduce((sum, agent) => sum + agent.bytes, files.main.bytes);
      const numbers = await this.#summarize(files);
      this.#catalog.setNumbers(id, { ...numbers, ...(await this.#title(files)) }, bytes);
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
