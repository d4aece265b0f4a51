import { randomUUID } from "node:crypto";
import { type EventStream, encodeEvent } from "@/lib/server/live/event-stream";
import { Coalescer } from "@/lib/server/runtime/coalescer";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { Follower, Position, Presenting } from "@/lib/wire/presence";

/** Of positions within this interval only the last one is sent. */
const EVERY_MS = 100;
/** A page reconnects its stream after a change of its view, or a break of its connection. */
const GRACE_MS = 4_000;
/**
 * The same for the presenting window: it reports when it is closed, and all followers would lose it if it is only busy,
 * drawing a large graph on a slow machine.
 */
const PRESENTER_GRACE_MS = 20_000;
/**
 * A browser asks for a page before it lets go of the one that this is to replace: one that goes, with none asked for in so
 * long, is not reloaded. On a busy machine seconds lie between the two.
 */
const RELOAD_MS = 10_000;
const MAX_NAMED = 50;

/** A page's stream. `share`: the guest's share, `null` for the owner. `ends`: aborts when that share ends. */
type Reader = {
  window: string;
  share: string | null;
  stream: EventStream;
  ends: AbortSignal | undefined;
};

type World = {
  /** A position in the ids of a share's guests; `null` if their session is another, or the share has ended. */
  translate(share: string, position: Position): Promise<Position | null>;
  /** How long ago a browser last asked for a page, whichever. */
  sincePageAskedMs(): number;
};

/** The streams that receive the same events. */
type Group = {
  streams: Set<EventStream>;
  told: { text: string; bytes: Uint8Array } | null;
  telling: Coalescer;
};

type Presented = { id: string; window: string; position: Position };

type Times = { everyMs: number; graceMs: number; presenterGraceMs: number };

const TIMES: Times = { everyMs: EVERY_MS, graceMs: GRACE_MS, presenterGraceMs: PRESENTER_GRACE_MS };

/**
 * The session that the owner presents, their position in it, and who follows. Nothing of it is stored. It is sent on
 * the pages' streams of events: to the owner's with the followers, to a share's guests if it is their session, and to
 * nobody else.
 */
export class Presence {
  readonly #world: World;
  readonly #times: Times;
  /** By share, `null` for the owner. */
  readonly #groups = new Map<string | null, Group>();
  /** How many streams a window has. A window that has lost its last one keeps its place for a while. */
  readonly #windows = new Map<string, { streams: number; timer: NodeJS.Timeout | null }>();
  readonly #followers = new Map<string, Follower>();
  /** Guests who have followed the presentation, by their windows: each keeps its number. */
  readonly #numbers = new Map<string, number>();
  #presenting: Presented | null = null;
  /** Ends what is presented by a page that has gone. */
  #leaving: NodeJS.Timeout | undefined;

  constructor(world: World, times: Times = TIMES) {
    this.#world = world;
    this.#times = times;
  }

  /**
   * Adds a page's stream, and sends it the current state.
   * @returns a function to be called when it has ended
   */
  join({ window, share, stream, ends }: Reader): () => void {
    const group = this.#groupOf(share);
    group.streams.add(stream);
    if (group.told) stream.send(group.told.bytes);
    else group.telling.request();
    const key = keyOf(share, window);
    const known = this.#windows.get(key);
    if (known?.timer) clearTimeout(known.timer);
    this.#windows.set(key, { streams: (known?.streams ?? 0) + 1, timer: null });
    return () => {
      group.streams.delete(stream);
      if (group.streams.size === 0 && this.#groups.get(share) === group) {
        group.telling.stop();
        this.#groups.delete(share);
      }
      this.#left(key, ends?.aborted === true);
    };
  }

  /**
   * Sets the owner's position, in this window. `id` is what the window calls its presentation: the same after a restart
   * or a break, so that who has left it is not drawn in again, and after a reload of the page, which is another window:
   * who follows stays. Throws `window-not-live` for a window without a stream: its end would not be noticed.
   */
  present(window: string, position: Position, id?: string): void {
    this.#demandLive(keyOf(null, window));
    const now = this.#presenting;
    const goesOn = now !== null && (id === undefined ? now.window === window : now.id === id);
    if (goesOn) {
      this.#presenting = { ...now, window, position };
      clearTimeout(this.#leaving);
    } else this.#begin({ id: id ?? randomUUID(), window, position });
    this.#tellAll();
  }

  /** Ends this window's presentation. */
  end(window: string): void {
    if (this.#presenting?.window !== window) return;
    this.#begin(null);
    this.#tellAll();
  }

  /**
   * This window's page goes: what it presents ends. At once, unless the browser has `kept` the page or has just asked for
   * one, which may be this one again: then it ends when it does not go on, from this window if that was kept or under its
   * name from another, within the time in which a page is reloaded. Without this word it would go on for as long as a broken connection may last.
   */
  leave(window: string, kept: boolean): void {
    if (this.#presenting?.window !== window) return;
    // A page that is not kept never comes back under this name, and a position that it sent before, and that comes behind
    // this, neither goes on nor begins anew.
    if (!kept) this.#forget(keyOf(null, window));
    if (!kept && this.#world.sincePageAskedMs() > RELOAD_MS) return this.end(window);
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => this.end(window), this.#times.graceMs).unref();
  }

  /** A page follows, or no longer does. Throws `window-not-live`. Ignored if nothing is presented to it. */
  follow(
    share: string | null,
    { window, follows, name }: { window: string; follows: boolean; name: string | null },
  ): void {
    const key = keyOf(share, window);
    this.#demandLive(key);
    const told = this.#groups.get(share)?.told;
    // It asks again when it has received what there is to follow.
    if (!told) return;
    if (!follows || told.text === "") this.#followers.delete(key);
    else if (share === null) this.#followers.set(key, { guest: null, name: null });
    else {
      const guest = this.#numbers.get(key) ?? this.#numbers.size + 1;
      this.#numbers.set(key, guest);
      this.#followers.set(key, { guest, name });
    }
    this.#groups.get(null)?.telling.request();
  }

  stop(): void {
    for (const { telling } of this.#groups.values()) telling.stop();
    for (const { timer } of this.#windows.values()) if (timer) clearTimeout(timer);
    clearTimeout(this.#leaving);
  }

  #begin(presenting: Presented | null): void {
    this.#presenting = presenting;
    clearTimeout(this.#leaving);
    this.#followers.clear();
    this.#numbers.clear();
  }

  #demandLive(key: string): void {
    if (this.#windows.has(key)) return;
    throw new ViewerError("window-not-live", "This window has no stream of events", {
      status: 409,
      hint: "Ask for /api/events with the same `window` first.",
    });
  }

  #forget(key: string): void {
    const timer = this.#windows.get(key)?.timer;
    if (timer) clearTimeout(timer);
    this.#windows.delete(key);
  }

  #left(key: string, atOnce: boolean): void {
    const known = this.#windows.get(key);
    if (!known) return;
    known.streams -= 1;
    if (known.streams > 0) return;
    const presents = () => this.#presenting !== null && keyOf(null, this.#presenting.window) === key;
    const gone = () => {
      this.#windows.delete(key);
      if (this.#followers.delete(key)) this.#groups.get(null)?.telling.request();
      if (!presents()) return;
      this.#begin(null);
      this.#tellAll();
    };
    const { graceMs, presenterGraceMs } = this.#times;
    if (atOnce) gone();
    else known.timer = setTimeout(gone, presents() ? presenterGraceMs : graceMs).unref();
  }

  #groupOf(share: string | null): Group {
    const known = this.#groups.get(share);
    if (known) return known;
    const group: Group = {
      streams: new Set(),
      told: null,
      telling: new Coalescer(this.#times.everyMs, () => this.#tell(share, group)),
    };
    this.#groups.set(share, group);
    return group;
  }

  #tellAll(): void {
    for (const { telling } of this.#groups.values()) telling.request();
  }

  async #tell(share: string | null, group: Group): Promise<void> {
    const now = this.#presenting;
    const presenting = now && (await this.#presentingFor(share, now));
    // Changes since then have requested another turn.
    if (now?.id !== this.#presenting?.id) return;
    const text = presenting ? JSON.stringify(presenting) : "";
    if (group.told?.text === text) return;
    group.told = { text, bytes: encodeEvent({ kind: "presence", presenting }, null) };
    for (const stream of group.streams) stream.send(group.told.bytes);
  }

  async #presentingFor(
    share: string | null,
    { id, window, position }: Presented,
  ): Promise<Presenting | null> {
    if (share === null) {
      const followers = [...this.#followers.values()];
      return {
        ...{ id, window, position },
        followers: { count: followers.length, first: followers.slice(0, MAX_NAMED) },
      };
    }
    const translated = await this.#world.translate(share, position);
    return translated && { id, window: null, position: translated, followers: null };
  }
}

function keyOf(share: string | null, window: string): string {
  return `${share ?? ""}|${window}`;
}
