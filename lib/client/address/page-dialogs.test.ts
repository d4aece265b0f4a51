// @vitest-environment page
import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Entry = { state: Record<string, unknown> | null; href: string };

/** The browser's history, as far as a page sees it. */
class Browser {
  readonly entries: Entry[] = [{ state: { __NA: true }, href: "/" }];
  at = 0;
  /** How long after it is asked for the browser goes back. */
  backMs = 5;
  #listeners: ((event: PopStateEvent) => void)[] = [];

  /** Loads the page, whose modules keep its one dialog. */
  async load() {
    this.#listeners = [];
    vi.resetModules();
    vi.stubGlobal("history", this.#history());
    return import("./page-dialogs");
  }

  #history() {
    const written = (state: object | null, href?: string | null) => ({
      state: structuredClone(state) as Entry["state"],
      href: href ?? this.here.href,
    });
    const history = {
      pushState: (state: object | null, _: string, href?: string | null) => {
        this.entries.splice(this.at + 1, Number.POSITIVE_INFINITY, written(state, href));
        this.at += 1;
      },
      replaceState: (state: object | null, _: string, href?: string | null) => {
        this.entries[this.at] = written(state, href);
      },
      back: () => setTimeout(() => this.go(-1), this.backMs),
    };
    return Object.defineProperty(history, "state", { get: () => this.here.state });
  }

  /** As browsers have it that tell when they have gone back, and that they do not. */
  navigation() {
    const back = () => {
      const isThere = this.at > 0;
      const committed = new Promise<void>((resolve, reject) => {
        if (!isThere) reject(new DOMException("There is no such entry", "InvalidStateError"));
        setTimeout(() => {
          this.go(-1);
          resolve();
        }, this.backMs);
      });
      return { committed };
    };
    const navigation = { back };
    return Object.defineProperty(navigation, "canGoBack", { get: () => this.at > 0 });
  }

  get location() {
    return new URL(this.here.href, "http://localhost");
  }

  get here(): Entry {
    const entry = this.entries[this.at];
    if (!entry) throw new Error("there is no such entry");
    return entry;
  }

  get hrefs(): string[] {
    return this.entries.map(({ href }) => href);
  }

  /** A step through the history, as of the Back button. Answers whether the router is told of it. */
  go(by: number): boolean {
    if (this.entries[this.at + by] === undefined) return false;
    this.at += by;
    const event = new PopStateEvent("popstate", { state: this.here.state });
    for (const listener of this.#listeners) listener(event);
    return event.state !== null;
  }

  listen(type: string, listener: EventListenerOrEventListenerObject): void {
    if (type === "popstate") this.#listeners.push(listener as (event: PopStateEvent) => void);
  }
}

/** The router opens a page, or another place of this one. It keeps nothing of others with an entry. */
function openPage(href: string): void {
  window.history.pushState({ __NA: true, tree: href }, "", href);
}

/** What the browser does by itself in a while. */
const settle = () => vi.advanceTimersByTimeAsync(100);

let browser: Browser;
beforeEach(() => {
  vi.useFakeTimers();
  browser = new Browser();
  vi.stubGlobal("location", {
    get href() {
      return browser.location.href;
    },
    get pathname() {
      return browser.location.pathname;
    },
    get search() {
      return browser.location.search;
    },
    get hash() {
      return browser.location.hash;
    },
  });
  vi.spyOn(window, "addEventListener").mockImplementation((type, listener) => browser.listen(type, listener));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("Back closes the dialog, Forward opens it again, and the router hears of neither", async () => {
  const { openPageDialog, shownDialog } = await browser.load();
  openPage("/search?q=a");
  openPageDialog("settings");
  expect([shownDialog(), browser.hrefs]).toEqual(["settings", ["/", "/search?q=a", "/search?q=a"]]);
  expect(browser.go(-1)).toBe(false);
  expect(shownDialog()).toBeNull();
  expect(browser.go(1)).toBe(false);
  expect(shownDialog()).toBe("settings");
  browser.go(-1);
  // What lies below is the router's.
  expect(browser.go(-1)).toBe(true);
  expect(browser.here.href).toBe("/");
});

test("a dialog that is closed otherwise leaves no entry behind that Back would do nothing for", async () => {
  const { openPageDialog, shownDialog } = await browser.load();
  openPage("/now");
  for (const dialog of ["keys", "share", "go-to"] as const) {
    openPageDialog(dialog);
    openPageDialog(null);
    expect(shownDialog()).toBeNull();
    await settle();
    expect(browser.at).toBe(1);
  }
  expect(browser.hrefs).toHaveLength(3);
});

test("what a dialog leads to comes in its place, also another dialog", async () => {
  const { openPageDialog, closeDialogAnd, shownDialog } = await browser.load();
  openPageDialog("go-to");
  closeDialogAnd(() => openPageDialog("settings"));
  await settle();
  expect([shownDialog(), browser.at]).toEqual(["settings", 1]);
  closeDialogAnd(() => openPage("/now"));
  await settle();
  expect([shownDialog(), browser.at, browser.hrefs]).toEqual([null, 1, ["/", "/now"]]);
});

test("a dialog that is opened while the browser still goes back from another stays open", async () => {
  const { openPageDialog, shownDialog } = await browser.load();
  openPageDialog("keys");
  openPageDialog(null);
  openPageDialog("settings");
  await settle();
  expect([shownDialog(), browser.at]).toEqual(["settings", 1]);
  openPageDialog(null);
  openPageDialog("keys");
  openPageDialog(null);
  await settle();
  expect([shownDialog(), browser.at]).toEqual([null, 0]);
});

test("a link in a dialog leads away from it, and Back to it", async () => {
  const { openPageDialog, shownDialog } = await browser.load();
  openPageDialog("about");
  openPage("/doctor");
  await settle();
  expect(shownDialog()).toBeNull();
  expect(browser.go(-1)).toBe(true);
  expect(shownDialog()).toBe("about");
  openPageDialog(null);
  await settle();
  expect([shownDialog(), browser.at]).toEqual([null, 0]);
});

test("what is written to the address beside an open dialog stays when it is closed", async () => {
  const { openPageDialog, shownDialog } = await browser.load();
  openPageDialog("settings");
  // As what writes the address does, which keeps nothing of others.
  window.history.replaceState({ __NA: true }, "", "/?q=cart");
  browser.go(-1);
  expect([shownDialog(), browser.here.href]).toEqual([null, "/?q=cart"]);
  browser.go(1);
  expect([shownDialog(), browser.here.href]).toEqual(["settings", "/?q=cart"]);
});

test("a reload shows the dialog that was open, and Back closes it", async () => {
  const before = await browser.load();
  const image = {
    recordId: "m~1" as never,
    n: 0,
    kind: "image",
    mediaType: null,
    bytes: 1,
    name: null,
  } as const;
  before.openPageDialog({ image, sessionId: "s" as never });
  const { shownDialog } = await browser.load();
  expect(shownDialog()).toEqual({ image, sessionId: "s" });
  expect(browser.go(-1)).toBe(false);
  expect(shownDialog()).toBeNull();
});

test("where there is nothing to go back to the entry is the page's", async () => {
  browser.entries[0] = { state: { __NA: true, backscroll: { ground: "g", dialog: "keys" } }, href: "/" };
  const { openPageDialog, shownDialog } = await browser.load();
  openPageDialog(null);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([shownDialog(), browser.here.state?.backscroll]).toEqual([null, { ground: "g" }]);
  openPageDialog("settings");
  expect([shownDialog(), browser.at]).toEqual(["settings", 1]);
});

test("a dialog is there again on the way forward, however late a busy machine has gone back from it", async () => {
  browser.backMs = 10_000;
  vi.stubGlobal("navigation", browser.navigation());
  const { openPageDialog, shownDialog } = await browser.load();
  openPageDialog("keys");
  openPageDialog(null);
  openPageDialog("settings");
  openPageDialog(null);
  await vi.advanceTimersByTimeAsync(11_000);
  expect([shownDialog(), browser.at]).toEqual([null, 0]);
  browser.go(1);
  expect(shownDialog()).toBe("keys");
});

test("where the browser says that there is nothing to go back to the entry is the page's at once", async () => {
  vi.stubGlobal("navigation", browser.navigation());
  browser.entries[0] = { state: { __NA: true, backscroll: { ground: "g", dialog: "keys" } }, href: "/" };
  const { openPageDialog, shownDialog } = await browser.load();
  openPageDialog(null);
  await settle();
  expect([shownDialog(), browser.here.state?.backscroll]).toEqual([null, { ground: "g" }]);
});
