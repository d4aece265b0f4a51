/** On `globalThis`, because what stands before Next and the routes are bundled apart. */
const KEY = Symbol.for("backscroll.page-asked");
type Holder = { [KEY]?: number };

/** A browser asks for a page: a new one, or one that is loaded again. Called with each request that it sends for a document. */
export function notePageAsked(): void {
  (globalThis as Holder)[KEY] = performance.now();
}

/** How long ago a browser last asked for a page, in milliseconds, by a clock that nobody sets; infinite where none has. */
export function sincePageAskedMs(): number {
  return performance.now() - ((globalThis as Holder)[KEY] ?? Number.NEGATIVE_INFINITY);
}
