/** An answer that was asked for before the page's own code ran, by the script in the document's head (`early-script.ts`). */
export type EarlyAnswer = {
  /** As the page asks for it, below its base path. */
  url: string;
  authorization: string;
  askedAtMs: number;
  response: Promise<Response>;
};

declare global {
  interface Window {
    backscrollEarly?: EarlyAnswer[];
  }
}

/** What has waited longer is asked for anew: the page came without it, and is to show what is there by then. */
const MAX_AGE_MS = 10_000;

/** The answer to this request, if it was asked for early; each is taken once. Rejects as `fetch` does. */
export function takeEarlyAnswer(
  url: string,
  { method, headers, signal }: RequestInit,
): Promise<Response> | null {
  const waiting = window.backscrollEarly ?? [];
  const early = waiting.find((one) => one.url === url);
  if (early === undefined) return null;
  waiting.splice(waiting.indexOf(early), 1);
  const sent = new Headers(headers);
  const isSame =
    (method ?? "GET") === "GET" &&
    sent.get("authorization") === early.authorization &&
    sent.get("accept") === null;
  if (!isSame || performance.now() - early.askedAtMs > MAX_AGE_MS) return null;
  return early.response.then((response) => {
    signal?.throwIfAborted();
    return response;
  });
}
