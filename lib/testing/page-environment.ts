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

/**
 * The environment of a test that draws: happy-dom, as Vitest's own of that name has it, but read from one file in place
 * of its 600, which takes a third of the time, before each such test.
 */
export default {
  name: "page",
  viteEnvironment: "client",
  async setup(global) {
    const { GlobalWindow } = (await import(
      pathToFileURL(bundledHappyDom()).href
    )) as typeof import("happy-dom");
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
    return {
      async teardown() {
        delete global.IS_REACT_ACT_ENVIRONMENT;
        await window.happyDOM.abort();
        for (const key of keys) delete global[key];
        for (const [key, value] of originals) global[key] = value;
      },
    };
  },
} satisfies Environment;
