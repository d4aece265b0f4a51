import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { EventStream } from "@/lib/server/live/event-stream";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { LiveEvent } from "@/lib/wire/live";
import type { Follower, Position, Presenting } from "@/lib/wire/presence";
import { Presence } from "./presence";

const SESSION = "the-session" as SessionId;
const OWNER = "0123456789ab";

function positionAt(line: number): Position {
  const recordId = `m~${line.toString(36)}` as RecordId;
  const none = { fold: null, runs: null, panes: null, view: null, turn: null, at: null };
  const noFile = { file: null, version: null, against: null, line: null };
  const noView = { left: null, right: null, step: null, look: null, range: null };
  return {
    sessionId: SESSION,
    shown: { branch: null, agent: null, detail: "tools", ...none, ...noFile, ...noView },
    thread: {
      ...{ at: { key: `${recordId}.0`, recordId, block: 0 }, above: 0 },
      ...{ atEnd: false, open: [], selected: null, showsSelected: false },
    },
    scrolled: null,
    beside: [],
  };
}

const lineOf = (presenting: Presenting | null) =>
  presenting ? Number.parseInt(presenting.position.thread.at?.recordId.slice(2) ?? "", 36) : null;

let pages: Page[] = [];

/** A page with a stream, and everything that it received. */
class Page {
  readonly told: { presenting: Presenting | null }[] = [];
  readonly share = new AbortController();
  readonly #connection = new AbortController();
  readonly #leave: () => void;
  #news: () => void = () => undefined;

  constructor(presence: Presence, window: string, share: string | null = null) {
    let ended: () => void = () => undefined;
    const stream = new EventStream(this.#connection.signal, () => ended());
    this.#leave = presence.join({ window, share, stream, ends: this.share.signal });
    ended = this.#leave;
    pages.push(this);
    void this.#read(stream.body);
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    for await (const bytes of body) {
      const data = /^data: (.*)$/m.exec(new TextDecoder().decode(bytes))?.[1];
      const event = data === undefined ? null : (JSON.parse(data) as LiveEvent);
      if (event?.kind === "presence") this.told.push(event);
      this.#news();
    }
  }

  get last(): Presenting | null | undefined {
    return this.told.at(-1)?.presenting;
  }

  async until(isSo: (presenting: Presenting | null | undefined) => boolean): Promise<void> {
    while (!isSo(this.last)) await new Promise<void>((resolve) => (this.#news = resolve));
  }

  close(): void {
    this.#connection.abort();
  }
}

let presence: Presence;
/** When a browser last asked for a page. */
let sincePageAskedMs = 0;
afterEach(() => {
  sincePageAskedMs = 0;
  for (const page of pages) page.close();
  pages = [];
  presence.stop();
});

/** Of two shares one is of the session. */
function start(times: Partial<ConstructorParameters<typeof Presence>[1]> = {}): Presence {
  presence = new Presence(
    {
      translate: async (share, position) =>
        share === "of-it" ? { ...position, sessionId: "as-shared" as SessionId } : null,
      sincePageAskedMs: () => sincePageAskedMs,
    },
    { everyMs: 5, graceMs: 20, presenterGraceMs: 20, ...times },
  );
  return presence;
}

const followersOf = (presenting: Presenting | null | undefined): Follower[] =>
  presenting?.followers?.first ?? [];

/** The owner's window presents, and a guest follows. */
async function followedByGuest(): Promise<{ owner: Page; guest: Page }> {
  const owner = new Page(presence, OWNER);
  const guest = new Page(presence, "guest-window", "of-it");
  presence.present(OWNER, positionAt(1));
  await guest.until((now) => lineOf(now ?? null) === 1);
  presence.follow("of-it", { window: "guest-window", follows: true, name: null });
  await owner.until((now) => followersOf(now).length === 1);
  return { owner, guest };
}

test("every page of the session gets the owner's position, and guests of another session nothing", async () => {
  start();
  const [owner, second] = [new Page(presence, OWNER), new Page(presence, "second-window")];
  const guest = new Page(presence, "guest-window", "of-it");
  const stranger = new Page(presence, "guest-window", "of-another");
  presence.present(OWNER, positionAt(7));
  for (const page of [owner, second, guest]) await page.until((now) => lineOf(now ?? null) === 7);
  expect(second.last?.window).toBe(OWNER);
  expect(guest.last).toMatchObject({
    window: null,
    followers: null,
    position: { sessionId: "as-shared" },
  });
  presence.follow("of-another", { window: "guest-window", follows: true, name: "Mallory" });
  presence.present(OWNER, positionAt(8));
  await owner.until((now) => lineOf(now ?? null) === 8);
  expect(followersOf(owner.last)).toEqual([]);
  presence.end(OWNER);
  await guest.until((now) => now === null);
  expect(stranger.told.map(({ presenting }) => presenting)).toEqual([null]);
});

test("at most ten positions a second are sent, the last one always", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  start({ everyMs: 100 });
  const [owner, guest] = [new Page(presence, OWNER), new Page(presence, "guest-window", "of-it")];
  for (let line = 1; line <= 60; line++) {
    presence.present(OWNER, positionAt(line));
    await vi.advanceTimersByTimeAsync(5);
  }
  await vi.advanceTimersByTimeAsync(100);
  for (const page of [owner, guest]) {
    await page.until((now) => lineOf(now ?? null) === 60);
    // As it joins, and after every 100 ms the one that is the last by then.
    expect(page.told.map(({ presenting }) => lineOf(presenting))).toEqual([null, 20, 40, 60]);
  }
});

test("a presentation keeps the name that its window gives it, and another name is another presentation", async () => {
  start();
  const owner = new Page(presence, OWNER);
  presence.present(OWNER, positionAt(1), "presentation-1");
  await owner.until((now) => now?.id === "presentation-1");
  presence.present(OWNER, positionAt(2), "presentation-1");
  await owner.until((now) => lineOf(now ?? null) === 2);
  expect(owner.last?.id).toBe("presentation-1");
  presence.present(OWNER, positionAt(2), "presentation-2");
  await owner.until((now) => now?.id === "presentation-2");
});

test("a late page gets the last position first", async () => {
  start();
  const owner = new Page(presence, OWNER);
  presence.present(OWNER, positionAt(3));
  await owner.until((now) => lineOf(now ?? null) === 3);
  presence.present(OWNER, positionAt(4));
  await owner.until((now) => lineOf(now ?? null) === 4);
  const late = new Page(presence, "late-window", "of-it");
  await late.until((now) => now !== undefined);
  expect(late.told.map(({ presenting }) => lineOf(presenting))).toEqual([4]);
});

test("the owner gets the followers: by number, and by the guests' names", async () => {
  start();
  const owner = new Page(presence, OWNER);
  const windows = ["guest-window-1", "guest-window-2"];
  const guests = windows.map((window) => new Page(presence, window, "of-it"));
  const second = new Page(presence, "second-window");
  presence.present(OWNER, positionAt(1));
  for (const page of [...guests, second]) await page.until((now) => lineOf(now ?? null) === 1);
  const name = '<img src=x onerror="alert(1)">';
  presence.follow("of-it", { window: "guest-window-1", follows: true, name: null });
  presence.follow("of-it", { window: "guest-window-2", follows: true, name });
  presence.follow(null, { window: "second-window", follows: true, name: "Somebody" });
  await owner.until((now) => followersOf(now).length === 3);
  expect(followersOf(owner.last)).toEqual([
    { guest: 1, name: null },
    { guest: 2, name },
    { guest: null, name: null },
  ]);
  expect(guests[0]?.told.every(({ presenting }) => presenting?.followers == null)).toBe(true);

  // One leaves and comes back under the same number; one whose stream is lost is gone.
  presence.follow("of-it", { window: "guest-window-2", follows: false, name });
  await owner.until((now) => followersOf(now).length === 2);
  presence.follow("of-it", { window: "guest-window-1", follows: false, name: null });
  presence.follow("of-it", { window: "guest-window-2", follows: true, name: null });
  await owner.until((now) => followersOf(now).some(({ guest }) => guest === 2));
  expect(followersOf(owner.last)).toEqual([
    { guest: null, name: null },
    { guest: 2, name: null },
  ]);
  second.close();
  await owner.until((now) => followersOf(now).length === 1);
  expect(owner.last?.followers?.count).toBe(1);
});

test("a stream that reconnects in time loses neither presenter nor followers", async () => {
  start({ graceMs: 200, presenterGraceMs: 200 });
  const { owner, guest } = await followedByGuest();
  const { id } = owner.last ?? {};
  owner.close();
  guest.close();
  const [again, guestAgain] = [new Page(presence, OWNER), new Page(presence, "guest-window", "of-it")];
  await guestAgain.until((now) => now?.id === id);
  await again.until((now) => followersOf(now).length === 1);
  expect(again.last?.id).toBe(id);
});

/** Waits until a window that is closed now has lost its place: one that was closed before it would have by then. */
async function isOver(window: string): Promise<void> {
  new Page(presence, window).close();
  const ask = () => presence.follow(null, { window, follows: false, name: null });
  await vi.waitFor(() => expect(ask).toThrow("no stream"));
}

test("a window keeps its place while it has another stream, and when it has a new one in time", async () => {
  start();
  const { owner, guest } = await followedByGuest();
  const { id } = owner.last ?? {};
  // The new streams are there before the ends of the former are noticed.
  const [second, guestsSecond] = [new Page(presence, OWNER), new Page(presence, "guest-window", "of-it")];
  owner.close();
  guest.close();
  await isOver("closed-window");
  second.close();
  guestsSecond.close();
  const [third] = [new Page(presence, OWNER), new Page(presence, "guest-window", "of-it")];
  await isOver("another-closed-window");
  presence.present(OWNER, positionAt(2));
  await third.until((now) => lineOf(now ?? null) === 2);
  expect([third.last?.id, followersOf(third.last)]).toEqual([id, [{ guest: 1, name: null }]]);
});

test("a presentation ends with the window of its owner", async () => {
  start();
  const owner = new Page(presence, OWNER);
  const guest = new Page(presence, "guest-window", "of-it");
  presence.present(OWNER, positionAt(1));
  await guest.until((now) => lineOf(now ?? null) === 1);
  owner.close();
  await guest.until((now) => now === null);
  expect(() => presence.present(OWNER, positionAt(2))).toThrow("no stream");
});

test("a page that says that it goes ends what it presents soon, unless it goes on in time", async () => {
  start({ graceMs: 20, presenterGraceMs: 3_600_000 });
  const owner = new Page(presence, OWNER);
  const guest = new Page(presence, "guest-window", "of-it");
  presence.present(OWNER, positionAt(1), "presentation-1");
  await guest.until((now) => lineOf(now ?? null) === 1);
  presence.leave(OWNER, false);
  // Sent before, and overtaken: it does not hold what ends.
  expect(() => presence.present(OWNER, positionAt(5), "presentation-1")).toThrow("no stream");
  owner.close();
  await guest.until((now) => now === null);

  // Kept by the browser as it was, or reloaded: who follows is told of no end.
  const kept = new Page(presence, "kept-window");
  presence.present("kept-window", positionAt(2), "presentation-1");
  await guest.until((now) => lineOf(now ?? null) === 2);
  const before = guest.told.length;
  presence.leave("kept-window", true);
  presence.leave("another-window", false);
  presence.present("kept-window", positionAt(3), "presentation-1");
  await isOver("closed-window");
  presence.leave("kept-window", false);
  kept.close();
  const reloaded = new Page(presence, "reloaded-window");
  presence.present("reloaded-window", positionAt(4), "presentation-1");
  await isOver("another-closed-window");
  await guest.until((now) => lineOf(now ?? null) === 4);
  expect(guest.told.slice(before).map(({ presenting }) => presenting === null)).not.toContain(true);
  expect(reloaded.last?.id).toBe("presentation-1");
});

test("a page that was closed ends what it presents at once: no browser has asked for a page, and none keeps it", async () => {
  start({ graceMs: 3_600_000, presenterGraceMs: 3_600_000 });
  const owner = new Page(presence, OWNER);
  const guest = new Page(presence, "guest-window", "of-it");
  presence.present(OWNER, positionAt(1), "presentation-1");
  await guest.until((now) => lineOf(now ?? null) === 1);
  const before = guest.told.length;
  sincePageAskedMs = 60_000;
  presence.leave("another-window", false);
  // The browser may show it again as it was.
  presence.leave(OWNER, true);
  presence.present(OWNER, positionAt(2), "presentation-1");
  await guest.until((now) => lineOf(now ?? null) === 2);
  expect(guest.told.slice(before).map(({ presenting }) => lineOf(presenting))).toEqual([2]);
  presence.leave(OWNER, false);
  // Sent before, and overtaken: it does not begin again what has ended.
  expect(() => presence.present(OWNER, positionAt(3), "presentation-1")).toThrow("no stream");
  await guest.until((now) => now === null);
  owner.close();
});

test("a window that presents may be without a stream for longer than those that follow", async () => {
  start({ presenterGraceMs: 3_600_000 });
  const owner = new Page(presence, OWNER);
  const second = new Page(presence, "second-window");
  const guest = new Page(presence, "guest-window", "of-it");
  presence.present(OWNER, positionAt(1));
  await guest.until((now) => lineOf(now ?? null) === 1);
  presence.follow("of-it", { window: "guest-window", follows: true, name: null });
  await second.until((now) => followersOf(now).length === 1);
  const { id } = second.last ?? {};
  owner.close();
  guest.close();
  // Who follows is gone by now, and the owner no sooner.
  await second.until((now) => followersOf(now).length === 0);
  presence.present(OWNER, positionAt(2));
  await second.until((now) => lineOf(now ?? null) === 2);
  expect(second.last?.id).toBe(id);
});

test("guests leave at once with their link, not after a while", async () => {
  start({ graceMs: 3_600_000 });
  const { owner, guest } = await followedByGuest();
  guest.share.abort();
  guest.close();
  await owner.until((now) => followersOf(now).length === 0);
  const before = guest.told.length;
  presence.present(OWNER, positionAt(2));
  await owner.until((now) => lineOf(now ?? null) === 2);
  expect(guest.told.length).toBe(before);
});

test("the window that began to present last is the presenter", async () => {
  start();
  const [one, other] = [new Page(presence, OWNER), new Page(presence, "other-window")];
  presence.present(OWNER, positionAt(1));
  await one.until((now) => now?.window === OWNER);
  presence.present("other-window", positionAt(2));
  await one.until((now) => now?.window === "other-window");
  // It is no longer the first one's to end.
  const { id } = one.last ?? {};
  presence.end(OWNER);
  presence.present("other-window", positionAt(3));
  await other.until((now) => lineOf(now ?? null) === 3);
  expect(other.last).toMatchObject({ id, window: "other-window" });
});

test("a page that is reloaded goes on with what it presented: who follows stays, and its former stream ends nothing", async () => {
  start();
  const owner = new Page(presence, OWNER);
  const guest = new Page(presence, "guest-window", "of-it");
  presence.present(OWNER, positionAt(1), "presentation-1");
  await guest.until((now) => lineOf(now ?? null) === 1);
  presence.follow("of-it", { window: "guest-window", follows: true, name: null });
  await owner.until((now) => followersOf(now).length === 1);
  owner.close();
  const reloaded = new Page(presence, "reloaded-window");
  presence.present("reloaded-window", positionAt(2), "presentation-1");
  await reloaded.until((now) => now?.window === "reloaded-window");
  await guest.until((now) => lineOf(now ?? null) === 2);
  expect(followersOf(reloaded.last)).toEqual([{ guest: 1, name: null }]);
  const isOfFormer = () => presence.follow(null, { window: OWNER, follows: false, name: null });
  await vi.waitFor(() => expect(isOfFormer).toThrow("no stream"));
  presence.present("reloaded-window", positionAt(3), "presentation-1");
  await guest.until((now) => lineOf(now ?? null) === 3);
  expect(guest.told.slice(1).map(({ presenting }) => presenting === null)).not.toContain(true);
});
