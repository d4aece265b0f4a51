import { hasJustAnswered } from "@/lib/client/connection/known-server";
import { whenThere } from "@/lib/client/connection/when-there";
import { noteWrite } from "./address-writes";
import { noteStep, onPushedEntry, type Standing } from "./history-entry";

/*
 * Steps through the browser's history. The router restores the page that belonged to an entry, and loads the page anew
 * where it no longer has that one. What keeps several entries in one page has to hear of a step before the router.
 * Listeners on the window are called in the order in which they came, and the router's comes when the page is first
 * drawn: this one comes when the script is read.
 */

/** `left`: where the browser was before. */
type OnStep = (event: PopStateEvent, left: Standing) => void;

/** The browser goes back, as the page has told it to. `arrive` ends the wait for that, `timer` where it does not come. */
type WayBack = { arrive: () => void; timer: ReturnType<typeof setTimeout> | undefined };

/** Later than this the browser does not go back any more, if it does not tell (Safari before 26.2, Firefox before 147). */
const MAX_RETURN_MS = 2_000;

/** The one that came last is told first. */
const told: OnStep[] = [];
let wayBack: WayBack | null = null;
/** What waits until the browser has gone back. */
let waiting: (() => void)[] = [];

/** The pages that were shown since the last reload: the router still holds them, and asks the server for any other one. */
const shown = new Set<string>();
/** The router hears of a step that has waited for the server. */
let isAnswered = false;
/** The place in the history of the entry whose page is shown. */
let shownIndex = indexNow();

if (typeof window !== "undefined") {
  noteShown();
  onPushedEntry(noteShown);
  window.addEventListener("popstate", (event) => {
    if (isAnswered) return;
    const left = noteStep(event);
    for (const listener of [...told]) listener(event, left);
    wayBack?.arrive();
    const isLost = event.state !== null && !shown.has(window.location.pathname) && !hasJustAnswered();
    if (isLost && shownIndex !== null) holdStep(event, shownIndex);
    else noteShown();
  });
}

function noteShown(): void {
  shown.add(window.location.pathname);
  shownIndex = indexNow();
}

/** Where in its history the browser is; `null` in one without the Navigation API. */
function indexNow(): number | null {
  if (typeof window === "undefined" || !("navigation" in window)) return null;
  return window.navigation.currentEntry?.index ?? null;
}

/**
 * Keeps a step to a page that is not there any more from the router until the server has answered: it would give the page
 * that is shown away for the browser's own error. Where nobody answers the browser goes to that page's entry.
 */
function holdStep(event: PopStateEvent, toIndex: number): void {
  const { state } = event;
  const { href } = window.location;
  keepFromRouter(event);
  const go = () => {
    // The reader has gone elsewhere meanwhile.
    if (window.location.href !== href) return;
    noteShown();
    isAnswered = true;
    window.dispatchEvent(new PopStateEvent("popstate", { state }));
    isAnswered = false;
  };
  const stay = () => {
    const by = toIndex - (indexNow() ?? toIndex);
    if (window.location.href === href && by !== 0) window.history.go(by);
  };
  whenThere(go, stay);
}

/**
 * Tells of each step through the history before the router hears of it.
 * @returns ends it
 */
export function beforeRouter(listener: OnStep): () => void {
  told.unshift(listener);
  return () => {
    const at = told.indexOf(listener);
    if (at >= 0) told.splice(at, 1);
  };
}

/** The router leaves an entry without a state alone, and so does whoever is told of the step after. */
export function keepFromRouter(event: PopStateEvent): void {
  Object.defineProperty(event, "state", { value: null });
}

/**
 * Goes back to the entry below, however long a busy machine takes for that. `missed` is called where there is none after
 * all: what that writes while the browser still goes back would stay in the entry for the way forward.
 */
export function goBack(missed: () => void): void {
  let done: () => void = () => undefined;
  void noteWrite(new Promise<void>((resolve) => (done = resolve)));
  const way: WayBack = {
    arrive: () => {
      clearTimeout(way.timer);
      // Behind the router, which hears of the entry after us.
      setTimeout(() => {
        if (wayBack !== way) return;
        wayBack = null;
        done();
        for (const run of waiting.splice(0)) whenStill(run);
      });
    },
    timer: undefined,
  };
  const giveUpAfter = (ms: number) => {
    way.timer = setTimeout(() => {
      missed();
      way.arrive();
    }, ms);
  };
  wayBack = way;
  const { navigation } = window as { navigation?: Navigation };
  if (!navigation) {
    giveUpAfter(MAX_RETURN_MS);
    window.history.back();
    return;
  }
  // Where it was stopped it may be for another step through the history, which then arrives.
  const onStop = () => {
    if (wayBack === way) giveUpAfter(navigation.canGoBack ? MAX_RETURN_MS : 0);
  };
  navigation.back().committed?.catch(onStop);
}

/** Calls `run` at once, or when the browser has gone back where the page has told it to. */
export function whenStill(run: () => void): void {
  if (wayBack) waiting.push(run);
  else run();
}
