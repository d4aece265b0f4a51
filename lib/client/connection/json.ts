import { withBasePath } from "@/lib/client/address/base-path";
import type { ScanProgress } from "@/lib/wire/session";
import { ApiError, UNREACHABLE } from "./api-error";
import { isKnown, noteLoss } from "./known-server";
import { type GetOptions, getResponse, type Method, sendRequest, withQuery } from "./send";
import { currentShareToken, currentToken } from "./token";

/** So long after a 202 the same is asked again. */
const SCAN_POLL_MS = 250;

/** A JSON answer. While the server still scans (202) it asks again until the answer is there. */
export async function getJson<Body>(path: string, options: GetOptions = {}): Promise<Body> {
  for (;;) {
    const { body, progress } = await getJsonOnce<Body>(path, options);
    if (!progress) return body;
    options.onScan?.(progress.scanning);
    await scanPause(options.signal);
  }
}

/** The same asked once: the answer, or how far the server is with the scan that it waits for. */
export async function getJsonOnce<Body>(path: string, options: GetOptions): Promise<Once<Body>> {
  const response = await getResponse(path, options);
  const json = await readJson(response);
  return response.status === 202
    ? { body: null, progress: json as ScanProgress }
    : { body: json as Body, progress: null };
}

/** Sends JSON, and returns the answer. Throws `ApiError`. */
export async function sendJson<Body>(method: Method, path: string, body: object): Promise<Body> {
  return (await readJson(await sendRequest(method, path, body))) as Body;
}

/** An answer that breaks off in its middle fails like a request that is not answered. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    noteLoss();
    throw new ApiError(0, UNREACHABLE);
  }
}

type Once<Body> = { body: Body; progress: null } | { body: null; progress: ScanProgress };

/** A JSON answer while the page waits; `null` where the server gives none, or not at once. */
export function getJsonNow<Body>(path: string, query: GetOptions["query"]): Body | null {
  const request = new XMLHttpRequest();
  request.open("GET", withBasePath(withQuery(path, query)), false);
  const token = currentToken();
  if (token && currentShareToken() === null && !isKnown()) return null;
  if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
  try {
    request.send();
  } catch (cause) {
    // The server is gone.
    if (cause instanceof DOMException) return null;
    throw cause;
  }
  return request.status === 200 ? (JSON.parse(request.responseText) as Body) : null;
}

function scanPause(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, SCAN_POLL_MS);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
