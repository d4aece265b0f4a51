import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy, setAnswerHeaders } from "./lib/server/http/answer-headers";
import { checkRequest, toResponse } from "./lib/server/http/gate";
import { allowedHosts } from "./lib/server/http/hosts";
import { notePageAsked } from "./lib/server/presence/asked-pages";
import { ADDRESS_HEADER } from "./lib/wire/page";

/**
 * The gate: every path that Next is asked for passes here, static files and those that do not exist included, since there
 * is no matcher. Handlers ask for the token themselves. bin/cli/serving/guard.mjs makes the same checks before, on the headers
 * alone, refuses what cannot be seen from here (a second Host header, an absolute URL, an upgrade), and sends scripts and
 * styles of the pages itself.
 */
export function proxy(request: NextRequest): Response {
  const { pathname } = request.nextUrl;
  const nonce = Buffer.from(crypto.randomUUID()).toString("base64");
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === "development");

  const refusal = checkRequest(
    { method: request.method, pathname, headers: request.headers },
    allowedHosts(process.env),
  );
  if (refusal === null && isPage(request)) notePageAsked();
  const answer = refusal ? toResponse(refusal) : pass(request, policy);
  setAnswerHeaders(answer.headers, policy, refusal === null && pathname.startsWith("/_next/static/"));
  // What stands between may neither keep a stream nor compress it into blocks.
  if (refusal === null && pathname === "/api/events")
    answer.headers.set("cache-control", "no-store, no-cache, no-transform");
  return answer;
}

/** Whether a browser is to show the answer. It says so at addresses that it trusts; elsewhere what it takes tells. */
function isPage({ headers }: NextRequest): boolean {
  const dest = headers.get("sec-fetch-dest");
  return dest === null ? headers.get("accept")?.includes("text/html") === true : dest === "document";
}

/** Next reads the nonce from the policy on the request that it is given. */
function pass(request: NextRequest, policy: string): Response {
  const headers = new Headers(request.headers);
  for (const name of request.headers.keys()) {
    if (name.startsWith("x-middleware-")) headers.delete(name);
  }
  headers.set("content-security-policy", policy);
  headers.set(ADDRESS_HEADER, request.nextUrl.pathname + request.nextUrl.search);
  // Here, since a page's own `notFound` comes after its head has been sent with 200.
  if (/^\/gallery\b/.test(request.nextUrl.pathname) && !galleryShown())
    return NextResponse.rewrite(new URL("/no-such-page", request.url), { request: { headers } });
  return NextResponse.next({ request: { headers } });
}

/** Whether this server shows the gallery of rows: in development, and where a test asks for it. */
function galleryShown(): boolean {
  return process.env.NODE_ENV === "development" || process.env.BACKSCROLL_GALLERY === "1";
}
