import { noteWrite } from "./address";
import { noteStep, type Standing } from "./history-entry";

/*
 * Steps through the browser's history. The router restores the page that belonged to an entry, and loads the page anew
 * where it no longer has that one. What keeps several entries in one page has to hear of a step before the router.
 * Listeners on the window are called in the order in which they came, and the router's comes when the page is first
 * drawn: this one comes when the script is read.
 */

/** `left`: where the browser was before. */
type OnStep = (event: PopStateEvent, left: Standing) => void;

/** The browser goes back, as the page has told it to. `arrive` ends the wait for that. */
type WayBack = { arrive: () => void; timer: ReturnType<typeof setTimeout> };

/** Later than this the browser does not go back any more. */
const MAX_RETURN_MS = 2_000;

/** The one that came last is told first. */
const told: OnStep[] = [];
let wayBack: WayBack | null = null;
/** What waits until the browser has gone back. */
let waiting: (() => void)[] = [];

if (typeof window !== "undefined")
  window.addEventListener("popstate", (event) => {
    const left = noteStep(event);
    for (const listener of [...told]) listener(event, left);
    wayBack?.arrive();
  });

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

/** Goes back to the entry below. `missed` is called where there is none after all. */
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
    timer: setTimeout(() => {
      missed();
      way.arrive();
    }, MAX_RETURN_MS),
  };
  wayBack = way;
  window.history.back();
}

/** Calls `run` at once, or when the browser has gone back where the page has told it to. */
export function whenStill(run: () => void): void {
  if (wayBack) waiting.push(run);
  else run();
}
