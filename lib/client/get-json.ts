import type { ScanProgress } from "@/lib/wire/session";
import { ApiError, readApiError, UNREACHABLE } from "./api-error";
import { currentToken, rejectToken } from "./token";

export type QueryValue = string | number | boolean | null | undefined;

export type GetOptions = {
  query?: Record<string, QueryValue>;
  signal?: AbortSignal | undefined;
  /** The media type to ask for, where an endpoint has more than one. */
  accept?: string;
  /** Called with every 202: the session is being scanned for the first time. */
  onScan?: (progress: ScanProgress["scanning"]) => void;
};

const SCAN_POLL_MS = 250;

/** Sends one GET with the token. Throws `ApiError` unless the answer is 2xx; a 401 also brings up the gate. */
export async function getResponse(
  path: string,
  { query, signal, accept }: GetOptions = {},
): Promise<Response> {
  const token = currentToken();
  const response = await send(withQuery(path, query), token, signal, accept);
  if (response.ok) return response;
  if (response.status === 401) rejectToken(token);
  throw await readApiError(response);
}

/** A JSON answer. While the server still scans (202) it asks again until the answer is there. */
export async function getJson<Body>(path: string, options: GetOptions = {}): Promise<Body> {
  for (;;) {
    const { body, progress } = await getJsonOnce<Body>(path, options);
    if (!progress) return body;
    options.onScan?.(progress.scanning);
    await delay(SCAN_POLL_MS, options.signal);
  }
}

/** The same asked once: the answer, or how far the server is with the scan that it waits for. */
export async function getJsonOnce<Body>(path: string, options: GetOptions = {}): Promise<Once<Body>> {
  const response = await getResponse(path, options);
  const json: unknown = await response.json();
  return response.status === 202
    ? { body: null, progress: json as ScanProgress }
    : { body: json as Body, progress: null };
}

type Once<Body> = { body: Body; progress: null } | { body: null; progress: ScanProgress };

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

async function send(
  url: string,
  token: string | null,
  signal: AbortSignal | undefined,
  accept: string | undefined,
): Promise<Response> {
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(accept ? { Accept: accept } : {}),
  };
  try {
    return await fetch(url, { headers, signal, cache: "no-store", credentials: "omit" });
  } catch (cause) {
    if (cause instanceof TypeError) throw new ApiError(0, UNREACHABLE);
    throw cause;
  }
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
