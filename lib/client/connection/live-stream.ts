import { useSyncExternalStore } from "react";
import type { LiveEvent } from "@/lib/wire/live";
import { Listeners } from "../listeners";
import { ApiError } from "./api-error";
import { EventReader } from "./event-reader";
import { holdServer } from "./known-server";
import { noteLastHeard } from "./last-known";
import { getResponse, type QueryValue } from "./send";
import { currentShareToken } from "./token";

/** Three pings that did not come: nobody is there, though the connection says nothing. */
const SILENCE_MS = 45_000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
const NOT_THERE_RETRY_MS = 1_500;
/** A tab in the background asks this often instead. */
const HIDDEN_POLL_MS = 15_000;

type LiveHandlers = {
  /** Parameters of the stream; asked anew for every connection. */
  query: () => Record<string, QueryValue>;
  onEvent: (event: LiveEvent) => void;
  /** Anything may have been missed: ask for what is shown. */
  onGap: () => void;
  /** Whether the stream is held in a tab that is not looked at, too. */
  holds?: () => boolean;
};

/**
 * The page's one stream of events. It is held while the tab is visible, taken up again where it ended, and
 * says how it stands. A stream that cannot be resumed tells `onGap`, so that nothing is missing afterwards.
 */
export class LiveStream {
  readonly #handlers: LiveHandlers;
  readonly status = new LiveStatusStore();
  #connection: AbortController | null = null;
  #lastId: string | null = null;
  #retryMs = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #poll: ReturnType<typeof setInterval> | null = null;
  /** When something came last, where that is longer ago than the end of the stream: nobody was there in between. */
  #heardAtMs: number | null = null;

  constructor(handlers: LiveHandlers) {
    this.#handlers = handlers;
  }

  /** Connects where the tab is visible, and follows whether it is. */
  start(): void {
    document.addEventListener("visibilitychange", this.#onVisibility);
    window.addEventListener("online", this.retryNow);
    this.#onVisibility();
  }

  /** Ends the stream; `start` begins it again where it ended. */
  stop(): void {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    window.removeEventListener("online", this.retryNow);
    this.#disconnect();
    noteLastHeard(this, null);
    if (this.#poll) clearInterval(this.#poll);
    this.#poll = null;
  }

  /** The view has changed: the stream is asked for anew, and goes on where it was. */
  reopen(): void {
    if (!this.#connection) return;
    this.#disconnect();
    void this.#connect();
  }

  retryNow = (): void => {
    if (document.hidden || (this.#connection && this.status.get().kind === "live")) return;
    this.#disconnect();
    this.#retryMs = FIRST_RETRY_MS;
    void this.#connect();
  };

  readonly #onVisibility = (): void => {
    if (this.#poll) clearInterval(this.#poll);
    this.#poll = null;
    if (document.hidden && !this.#handlers.holds?.()) {
      this.#disconnect();
      this.status.set({ kind: "hidden" });
      noteLastHeard(this, null);
      this.#poll = setInterval(this.#handlers.onGap, HIDDEN_POLL_MS);
    } else if (!this.#connection) {
      // It may be waiting for its next try, which would be a second stream.
      this.#disconnect();
      void this.#connect();
    }
  };

  #disconnect(): void {
    this.#connection?.abort();
    this.#connection = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #connect(): Promise<void> {
    const controller = new AbortController();
    this.#connection = controller;
    try {
      await this.#read(controller);
    } catch (error) {
      if (controller.signal.aborted && this.#connection !== controller) return;
      // The gate comes up by itself; with a new token the page starts anew.
      if (error instanceof ApiError && error.status === 401) return;
      // A session whose first line is about to be written: there is a server, and it knows soon.
      if (error instanceof ApiError && error.status === 404)
        this.#retryMs = Math.min(this.#retryMs, NOT_THERE_RETRY_MS);
    }
    if (this.#connection !== controller) return;
    controller.abort();
    this.#retryLater();
  }

  async #read(controller: AbortController): Promise<void> {
    const query = { ...this.#handlers.query(), since: this.#lastId };
    // From the request on: a tunnel that is dead takes it, and nothing ever comes back.
    let heardAtMs = Date.now();
    const watchdog = new Watchdog(() => {
      this.#heardAtMs ??= heardAtMs;
      controller.abort();
    });
    let leaveServer = (_isLost: boolean): void => undefined;
    try {
      const response = await getResponse("/api/events", { query, signal: controller.signal });
      leaveServer = holdServer();
      const reader = response.body?.getReader();
      if (!reader) return;
      // Not by a stream of its own, whose turns each event would have to wait for.
      const decoder = new TextDecoder();
      const events = new EventReader<LiveEvent>();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        watchdog.feed();
        heardAtMs = Date.now();
        const taken = events.take(decoder.decode(value, { stream: true }));
        for (const [n, { id, event }] of taken.entries()) {
          this.#take(event, id);
          // What a session does may be on screen a frame before the rows that came with it.
          if (event.kind === "state" && n < taken.length - 1) await nextTask();
          controller.signal.throwIfAborted();
        }
      }
    } finally {
      watchdog.stop();
      leaveServer(this.#connection === controller);
    }
  }

  #take(event: LiveEvent, id: string | null): void {
    if (event.kind === "hello") {
      this.#retryMs = FIRST_RETRY_MS;
      this.status.set({ kind: "live" });
      this.#heardAtMs = null;
      noteLastHeard(this, null);
      if (this.#lastId !== null && !event.resumed) this.#handlers.onGap();
    }
    this.#handlers.onEvent(event);
    if (event.kind === "reset" || event.kind === "resync") this.#handlers.onGap();
    // Only now: an id stands for what has been taken in.
    if (id !== null) this.#lastId = id;
  }

  #retryLater(): void {
    // Spread a little, so that many tabs do not come back in one moment.
    const spreadMs = this.#retryMs * (0.8 + Math.random() * 0.4);
    // A share whose stream ends has most likely been taken back: its page is to say so at once.
    const waitMs = currentShareToken() !== null && this.status.get().kind === "live" ? 0 : spreadMs;
    this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2);
    this.status.set({ kind: "stale", nextTryAtMs: Date.now() + waitMs, sinceMs: this.#heardAtMs });
    noteLastHeard(this, this.status.get().sinceMs);
    this.#connection = null;
    this.#timer = setTimeout(() => void this.#connect(), waitMs);
  }
}

/** When the browser has had its turn to draw, if a frame is due. Not by a timer, which a hidden tab has once a second. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}

class Watchdog {
  readonly #onTimeout: () => void;
  #timer: ReturnType<typeof setTimeout>;

  constructor(onTimeout: () => void) {
    this.#onTimeout = onTimeout;
    this.#timer = setTimeout(onTimeout, SILENCE_MS);
  }

  feed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTimeout, SILENCE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * How the page's stream stands. `sinceMs`: since when it is not live. `again`: it is live after a pause of so
 * many milliseconds, told for a moment.
 */
export type LiveStatus = {
  kind: "connecting" | "live" | "stale" | "hidden";
  sinceMs: number | null;
  nextTryAtMs: number | null;
  againAfterMs: number | null;
};

/** `sinceMs`: when a stream that is found lost was last heard, where not now. */
type NextStatus = Pick<LiveStatus, "kind"> & Partial<Pick<LiveStatus, "nextTryAtMs" | "sinceMs">>;

/** A pause that is over sooner is not worth a word. */
const UNNOTICED_MS = 1_500;
const AGAIN_MS = 6_000;

/** Keeps a stream's status, outside React: it changes between renders. */
export class LiveStatusStore {
  readonly #listeners = new Listeners();
  #status: LiveStatus = { kind: "connecting", sinceMs: null, nextTryAtMs: null, againAfterMs: null };
  #timer: ReturnType<typeof setTimeout> | null = null;
  #wasLive = false;

  subscribe = this.#listeners.add;

  get = (): LiveStatus => this.#status;

  set({ kind, nextTryAtMs = null, sinceMs: lostMs = null }: NextStatus): void {
    const nowMs = Date.now();
    const { sinceMs } = this.#status;
    const pausedMs = kind === "live" && sinceMs !== null ? nowMs - sinceMs : 0;
    // What was not there yet when the page was opened, as a session before its first line, comes for the first time.
    const againAfterMs = this.#wasLive && pausedMs > UNNOTICED_MS ? pausedMs : null;
    this.#wasLive ||= kind === "live";
    this.#change({
      kind,
      sinceMs: kind === "stale" ? (sinceMs ?? lostMs ?? nowMs) : null,
      nextTryAtMs,
      againAfterMs,
    });
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (againAfterMs !== null) {
      this.#timer = setTimeout(() => this.#change({ ...this.#status, againAfterMs: null }), AGAIN_MS);
    }
  }

  #change(next: LiveStatus): void {
    this.#status = next;
    this.#listeners.tell();
  }
}

/** The status, renewed when it changes. */
export function useLiveStatus(store: LiveStatusStore): LiveStatus {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
