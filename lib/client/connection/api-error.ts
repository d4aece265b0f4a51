import { fieldsOf, parseJson, textField } from "@/lib/format/json-values";
import type { ErrorBody } from "@/lib/wire/library";

/** An answer that is not 2xx, or none at all (`status` 0, code `unreachable`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly path: string | null;

  constructor(status: number, { code, message, hint, path }: ErrorBody["error"]) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.path = path ?? null;
  }

  /** What happened, and to which file or folder where the server says that. */
  get problem(): string {
    return this.path === null ? this.message : `${this.message.replace(/\.$/, "")} (${this.path})`;
  }

  /** The same and what to do, as sentences: messages of the gate end with a full stop, those of a route do not. */
  get words(): string {
    return [this.problem.replace(/\.$/, ""), this.hint].filter(Boolean).join(". ");
  }
}

/** Nobody answers. */
export const UNREACHABLE: ErrorBody["error"] = {
  code: "unreachable",
  message: "Backscroll does not answer.",
  hint: "Start it again in its terminal; this page reconnects by itself.",
};

/** The server has another token than this browser. */
export const REPLACED: ErrorBody["error"] = {
  code: "unauthorised",
  message: "Backscroll has another token now.",
  hint: "Open the link that it printed.",
};

/** Another program answers, which does not know the token. */
export const STRANGER: ErrorBody["error"] = {
  code: "unreachable",
  message: "Something else answers at this address.",
  hint: "Start Backscroll there again, and this page reconnects by itself. Where it runs elsewhere, open the link that it printed.",
};

/** Reads the body of a failed answer; one that is not ours still becomes a readable error. */
export async function readApiError(response: Response): Promise<ApiError> {
  const { error } = fieldsOf(parseJson(await response.text()));
  const [code, message, hint, path] = ["code", "message", "hint", "path"].map((name) =>
    textField(error, name),
  );
  if (code && message)
    return new ApiError(response.status, { code, message, hint: hint ?? "", path: path ?? undefined });
  return new ApiError(response.status, {
    code: `http-${response.status}`,
    message: `The server answered ${response.status}.`,
    hint: "Reload the page; if it stays, look at the terminal where Backscroll runs.",
  });
}
