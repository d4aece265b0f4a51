import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { awaitedAnswers } from "./connection/send";
import { Listeners } from "./listeners";

/*
 * Parts of the page's own code that most openings never show: views beside the thread, dialogs. They are loaded behind
 * the first rows, when the browser has nothing else to do, or at once when one is asked for. A part that is there is drawn
 * in the same step as anything else; React's `lazy` would leave its place empty for a moment even then, and never ask
 * again for one that did not come.
 */

/** A part of the page's code. */
export class PagePart<Code> {
  readonly #fetchCode: () => Promise<Code>;
  #code: Code | null = null;
  #loading: Promise<Code> | null = null;
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.add;

  /** @param fetchCode imports the part's module; called again where the import before has failed */
  constructor(fetchCode: () => Promise<Code>) {
    this.#fetchCode = fetchCode;
  }

  /** What the part's module exports; `null` until it is there. */
  get = (): Code | null => this.#code;

  /**
   * Loads the part, unless it is there or on its way.
   * @returns ends as the import does: where the server is gone or of another build, with the bundler's `ChunkLoadError`
   */
  load = (): Promise<Code> => {
    this.#loading ??= this.#fetchCode().then(
      (code) => {
        this.#code = code;
        this.#listeners.tell();
        return code;
      },
      (cause: unknown) => {
        this.#loading = null;
        throw cause;
      },
    );
    return this.#loading;
  };
}

/** Whether this says that a part of the page's code did not come, which is no bug. */
export function isPartMissing(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "ChunkLoadError";
}

/** A part as it is drawn: its code once that is there, or that it did not come. */
export type DrawnPart<Code> = { code: Code | null; failed: boolean; retry: () => void };

/**
 * A part of the page, loaded once it is `wanted`. `failed` where it did not come; `retry` asks for it again. Throws while
 * drawing what else the part's module throws.
 */
export function usePagePart<Code>(part: PagePart<Code>, wanted: boolean): DrawnPart<Code> {
  const code = useSyncExternalStore(part.subscribe, part.get, () => null);
  const [fault, setFault] = useState<unknown>(null);
  // What is said stays until the part is there: so does the button that was pressed, and the dialog around it.
  const retry = useCallback(() => void part.load().catch(setFault), [part]);
  const isMissing = wanted && code === null;
  useEffect(() => {
    if (!isMissing) return;
    setFault(null);
    retry();
  }, [isMissing, retry]);
  const failed = isMissing && fault !== null;
  if (failed && !isPartMissing(fault)) throw fault;
  return { code, failed, retry };
}

/** So long the page must have waited for no answer: what it shows first is drawn by then. */
const QUIET_MS = 300;
/** So late even where the browser is never idle. */
const MAX_WAIT_MS = 5_000;

/**
 * Loads parts, one after another, behind what the page shows first and whenever the browser has nothing else to do, so that
 * they are there when they are asked for, and when the server is not any more. What does not come is loaded when it is
 * wanted.
 * @returns ends it
 */
export function loadWhenIdle(parts: readonly PagePart<unknown>[]): () => void {
  let ended = false;
  let cancel = (): void => undefined;
  const begin = (rest: readonly PagePart<unknown>[]) => {
    const [next, ...others] = rest;
    if (ended || !next) return;
    cancel = whenIdle(() => {
      next.load().then(
        () => begin(others),
        () => undefined,
      );
    });
  };
  const whenQuiet = (isQuiet: boolean) => {
    if (isQuiet) return begin(parts);
    const timer = setTimeout(() => whenQuiet(awaitedAnswers() === 0), QUIET_MS);
    cancel = () => clearTimeout(timer);
  };
  whenQuiet(false);
  return () => {
    ended = true;
    cancel();
  };
}

/** Safari has no idle callbacks. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(run, { timeout: MAX_WAIT_MS });
  return () => cancelIdleCallback(request);
}
