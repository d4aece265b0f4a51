import { pathToFileURL } from "node:url";
import { type Environment, populateGlobal } from "vitest/runtime";
import { bundledHappyDom } from "./bundled-happy-dom";

/** What Node has too, of which a page has the browser's. */
const OF_A_BROWSER = [
  "AbortController",
  "AbortSignal",
  "FormData",
  "Headers",
  "MessagePort",
  "Request",
  "Response",
  "URL",
  "URLSearchParams",
  "fetch",
];

/** Opens a page, in place of the one before: nothing of that goes on, and `window` and all that it holds are new. */
export type OpenPage = () => Promise<void>;

declare global {
  /** What `new-page.ts` calls for each test file. */
  var openPage: OpenPage | undefined;
}

/**
 * The environment of tests that draw: happy-dom, as Vitest's own of that name has it, but read from one file in place of
 * its 600, which takes a third of the time, and with a new page for each test file where these share a process.
 */
export default {
  name: "page",
  viteEnvironment: "client",
  async setup(global) {
    const { GlobalWindow } = (await import(
      pathToFileURL(bundledHappyDom()).href
    )) as typeof import("happy-dom");
    let close = openWindow(global, GlobalWindow);
    let isUnused = true;
    global.openPage = async () => {
      if (!isUnused) {
        await close();
        close = openWindow(global, GlobalWindow);
      }
      isUnused = false;
    };
    return {
      async teardown() {
        delete global.openPage;
        await close();
      },
    };
  },
} satisfies Environment;

/** Makes a window the global one. Returns what closes it and ends what it has begun. */
function openWindow(
  global: typeof globalThis & Record<PropertyKey, unknown>,
  GlobalWindow: typeof import("happy-dom").GlobalWindow,
): () => Promise<void> {
  const window = new GlobalWindow({
    console: global.console,
    url: "http://localhost:3000",
    settings: { disableErrorCapturing: true },
  });
  const { keys, originals } = populateGlobal(global, window, {
    bindFunctions: true,
    additionalKeys: OF_A_BROWSER,
  });
  // Browsers have known this element since 2023, happy-dom 21 does not, and React warns of elements that none knows.
  Object.defineProperty(window.HTMLUnknownElement.prototype, Symbol.toStringTag, {
    configurable: true,
    get(this: Element) {
      return this.localName === "search" ? "HTMLElement" : "HTMLUnknownElement";
    },
  });
  // Nothing is asked for over the network: what a test does not answer is an error of its own.
  global.fetch = async (input: RequestInfo | URL) => {
    global.console.error(`No test answers ${input instanceof Request ? input.url : input}`);
    throw new TypeError("Failed to fetch");
  };
  // Updates are drawn within `act` alone, and React tells of any other.
  global.IS_REACT_ACT_ENVIRONMENT = true;
  const endTimers = trackTimers(global);
  return async () => {
    endTimers();
    delete global.IS_REACT_ACT_ENVIRONMENT;
    await window.happyDOM.abort();
    for (const key of keys) delete global[key];
    for (const [key, value] of originals) global[key] = value;
  };
}

/** Returns what ends the timers that are begun from now on: a page that is closed asks for nothing any more. */
function trackTimers(global: typeof globalThis): () => void {
  const { setTimeout, setInterval } = global;
  const begun: NodeJS.Timeout[] = [];
  const tracked = (begin: typeof setTimeout | typeof setInterval) =>
    Object.assign((...args: Parameters<typeof setTimeout>) => {
      const timer = begin(...args);
      begun.push(timer);
      return timer;
    }, begin);
  global.setTimeout = tracked(setTimeout) as typeof setTimeout;
  global.setInterval = tracked(setInterval) as typeof setInterval;
  return () => {
    for (const timer of begun) clearTimeout(timer);
    global.setTimeout = setTimeout;
    global.setInterval = setInterval;
  };
}
