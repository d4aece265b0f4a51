type Details = { hint?: string; path?: string; status?: number; cause?: unknown };

/** A fault with a name that a reader can act on. `respond` turns it into `{error: {code, message, hint}}`. */
export class ViewerError extends Error {
  override readonly name = "ViewerError";
  readonly code: string;
  readonly hint: string;
  readonly path: string | undefined;
  readonly status: number;

  /** `code` is stable and kebab-case, `message` says what is wrong, `hint` what to do about it. */
  constructor(code: string, message: string, { hint = "", path, status = 404, cause }: Details = {}) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.path = path;
    this.status = status;
  }
}

/** By name, not `instanceof`: the state and the routes are bundled apart and hold a class each. */
export function isViewerError(error: unknown): error is ViewerError {
  return error instanceof Error && error.name === "ViewerError" && "code" in error && "status" in error;
}

/** `bad-cursor`: where a page should begin was not said by an answer of before. */
export function badCursor(): ViewerError {
  return new ViewerError("bad-cursor", "No answer gave out this cursor", {
    status: 400,
    hint: "Start again without it.",
  });
}
