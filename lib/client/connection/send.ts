import { withBasePath } from "@/lib/client/address/base-path";
import { WRITER_HEADER } from "@/lib/wire/annotations";
import type { ScanProgress } from "@/lib/wire/session";
import { ApiError, REPLACED, readApiError, STRANGER, UNREACHABLE } from "./api-error";
import { takeEarlyAnswer } from "./early-answers";
import { isKnown, noteAnswer, noteLoss, standingOf } from "./known-server";
import { currentShareToken, currentToken, rejectToken, writerSecret } from "./token";

/** A value of a request’s query; `null` and `undefined` are left out. */
export type QueryValue = string | number | boolean | null | undefined;

export type GetOptions = {
  query?: Record<string, QueryValue>;
  signal?: AbortSignal | undefined;
  /** The media type to ask for, where an endpoint has more than one. */
  accept?: string;
  /** Called with every 202: the session is being scanned for the first time. */
  onScan?: (progress: ScanProgress["scanning"]) => void;
};

/** Sends one GET with the token. Throws `ApiError` unless the answer is 2xx; a 401 also brings up the gate. */
export function getResponse(path: string, { query, signal, accept }: GetOptions = {}): Promise<Response> {
  const headers: HeaderFields = accept ? { Accept: accept } : {};
  return sendWithToken(withQuery(path, query), headers, { signal: signal ?? null });
}

/**
 * Resolves where a GET of this address would be answered with 2xx, for which the server makes nothing. Throws `ApiError`,
 * whose reason is asked for with a GET: an answer to HEAD cannot say it.
 */
export async function checkAnswer(path: string): Promise<void> {
  try {
    await sendWithToken(path, {}, { method: "HEAD" });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    const { body } = await getResponse(path);
    await body?.cancel();
  }
}

type HeaderFields = Record<string, string>;

/** How what changes something is sent. */
export type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** Sends what changes something. Throws `ApiError` unless the answer is 2xx; a 401 also brings up the gate. */
export function sendRequest(
  method: Method,
  path: string,
  body?: object,
  more: RequestInit = {},
): Promise<Response> {
  const headers: HeaderFields = body ? { "Content-Type": "application/json" } : {};
  return sendWithToken(path, headers, { ...more, method, body: body ? JSON.stringify(body) : null });
}

/** Rejects with an ApiError where Backscroll is not there. */
export async function askWhetherThere(): Promise<void> {
  const token = currentToken();
  if (token !== null && currentShareToken() === null && !isKnown()) {
    if ((await standingOf(token, send)) === "stranger") throw new ApiError(0, STRANGER);
  } else await (await send("/api/health", {})).body?.cancel();
  noteAnswer();
}

/** Sends a request, again where the token that is refused is not the one that this browser has by now. */
async function sendWithToken(url: string, headers: HeaderFields, request: RequestInit): Promise<Response> {
  const token = currentToken();
  // Nothing is awaited where it is known: of a page that goes nothing is sent later.
  const isSentAtOnce = token === null || currentShareToken() !== null || isKnown();
  const standing = isSentAtOnce ? "known" : await standingOf(token, send);
  if (standing === "stranger") throw new ApiError(0, STRANGER);
  if (standing === "other") {
    if (isReplaced(token)) return sendWithToken(url, headers, request);
    throw new ApiError(401, REPLACED);
  }
  const response = await send(url, { ...request, headers: { ...headers, ...headersFor(url, token) } });
  if (response.ok) {
    noteAnswer();
    return response;
  }
  if (response.status === 401 && isReplaced(token)) return sendWithToken(url, headers, request);
  throw await readApiError(response);
}

/** The token is not good: the gate comes up, unless this browser has another one by now. */
function isReplaced(token: string | null): boolean {
  rejectToken(token);
  const kept = currentToken();
  return kept !== null && kept !== token;
}

/** Who asks; for comments a guest also says which of them are theirs. */
function headersFor(path: string, token: string | null): HeaderFields {
  const writer = path.startsWith(ANNOTATIONS) ? writerSecret() : null;
  return {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(writer ? { [WRITER_HEADER]: writer } : {}),
  };
}

const ANNOTATIONS = "/api/annotations";

/** A path with its query; `null`, `undefined`, `false` and empty values are left out, `true` is 1. */
export function withQuery(path: string, query: GetOptions["query"]): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined || value === false || value === "") continue;
    params.set(name, value === true ? "1" : String(value));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** What answers the page's requests: the server. */
let ask = (url: string, request: RequestInit): Promise<Response> =>
  takeEarlyAnswer(url, request) ?? fetch(withBasePath(url), request);

/** Has something else answer them from now on: an exported file does so itself. */
export function answerWith(answer: typeof ask): void {
  ask = answer;
}

let awaited = 0;

/** How many requests are sent and not answered yet. A stream is answered when it begins. */
export function awaitedAnswers(): number {
  return awaited;
}

async function send(url: string, request: RequestInit): Promise<Response> {
  awaited += 1;
  try {
    return await ask(url, { ...request, cache: "no-store", credentials: "omit" });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    noteLoss();
    throw new ApiError(0, UNREACHABLE);
  } finally {
    awaited -= 1;
  }
}
