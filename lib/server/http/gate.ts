import type { ErrorBody } from "@/lib/wire/library";
import { type GateHeaders, isOwner, shareTokenIn, UNAUTHORISED } from "./authorise";
import type { AllowedHost } from "./hosts";
import { methodsOf, routeAt } from "./routes";

/** What the gate looks at: `pathname` is decoded by nobody, as it stands in the request line. */
export type GateRequest = { method: string; pathname: string; headers: GateHeaders };

/**
 * All that is refused before a page, a handler or a static file is looked for, and before a body is read. `/api`
 * takes no foreign caller; pages hold no data and may be linked to from anywhere, so their `Sec-Fetch-Site` is not asked.
 * Returns `null` for what may pass.
 */
export function checkRequest(request: GateRequest, allowed: readonly AllowedHost[]): Refusal | null {
  const { method, pathname, headers } = request;
  const host = headers.get("host");
  return (
    checkHost(host, allowed) ??
    checkOrigin(headers.get("origin"), host ?? "", allowed) ??
    checkMethod(method, pathname) ??
    (isApi(pathname) ? checkFetchSite(headers.get("sec-fetch-site"), headers.get("sec-fetch-mode")) : null) ??
    checkFramework(pathname, headers) ??
    checkBody(method, pathname, headers)
  );
}

/** Doors of the framework that this app does not use. */
function checkFramework(pathname: string, headers: GateHeaders): Refusal | null {
  if (headers.get("next-action") !== null || pathname.startsWith("/_next/image")) {
    return {
      status: 404,
      code: "not-found",
      message: "There is nothing at this address.",
      hint: "Start from the library at /.",
    };
  }
  return null;
}

/**
 * Refuses a Host that is not exactly one of ours, so that a foreign name that resolves to this machine
 * (DNS rebinding) reaches nothing. Compared as text: `new URL` would turn `127.1`, `2130706433` and
 * `evil@localhost` into ours. Returns `null` for ours.
 */
function checkHost(host: string | null, allowed: readonly AllowedHost[]): Refusal | null {
  const given = host?.toLowerCase();
  if (given !== undefined && allowed.some((own) => own.host === given)) return null;
  return {
    status: 403,
    code: "host-not-allowed",
    message: "This name is not one that Backscroll answers to.",
    hint: `Open the address that Backscroll printed, or start it with --allow-host NAME.`,
  };
}

/**
 * Refuses a request that a page of another origin makes: an Origin, where there is one, must be that of the
 * very Host asked. `host` has passed `checkHost`. Returns `null` for none and for ours.
 */
function checkOrigin(origin: string | null, host: string, allowed: readonly AllowedHost[]): Refusal | null {
  if (origin === null || origin === `http://${host.toLowerCase()}`) return null;
  const own = allowed.find((candidate) => candidate.host === host.toLowerCase());
  if (own?.https && origin === `https://${own.host}`) return null;
  return {
    status: 403,
    code: "origin-not-allowed",
    message: "Pages of another origin may not talk to Backscroll.",
    hint: "Open the address that Backscroll printed in a tab of its own.",
  };
}

/**
 * Refuses API calls that a browser says another site or another port of this machine (`same-site`) made.
 * `none` passes for a navigation alone: a typed address. Absent outside browsers and on plain HTTP beyond
 * loopback; then the token decides. Returns `null` for what may pass.
 */
function checkFetchSite(site: string | null, mode: string | null): Refusal | null {
  if (site === null || site === "same-origin") return null;
  if (site === "none" && mode === "navigate") return null;
  return {
    status: 403,
    code: "cross-site",
    message: "Another site may not call this API.",
    hint: "Open the address that Backscroll printed in a tab of its own.",
  };
}

/** Tells whether a path belongs to the API, in any case: nothing under such a name is ever a page. */
const isApi = (pathname: string): boolean => /^\/api(\/|$)/i.test(pathname);

/** Refuses preflights, since no other origin is ever allowed, and methods that no route has. Returns `null` for the rest. */
function checkMethod(method: string, pathname: string): Refusal | null {
  if (method === "OPTIONS") {
    return {
      status: 403,
      code: "no-cross-origin",
      message: "No other origin is ever allowed here.",
      hint: "Call the API from Backscroll’s own page, or from outside a browser.",
    };
  }
  const allowed = methodsOf(pathname);
  if (allowed.includes(method)) return null;
  return {
    status: 405,
    code: "method-not-allowed",
    message: `${isApi(pathname) ? "This address" : "A page"} cannot take ${method}.`,
    hint: `It takes ${allowed.join(" and ")}.`,
    allow: allowed.join(", "),
  };
}

/** The most that a request may carry. */
export const MAX_BODY_BYTES = 64 << 10;

/**
 * Judges by its headers a request that carries a body, before any of it is read: only a route that takes one,
 * asked with the token, has it read. Returns `null` where there is no body, and for one that may be read; where its
 * length is not given in advance (`Transfer-Encoding`), whoever reads it counts.
 */
function checkBody(method: string, pathname: string, headers: GateHeaders): Refusal | null {
  const length = headers.get("content-length");
  if (headers.get("transfer-encoding") === null && (length === null || Number(length) === 0)) return null;
  const isTaken = method !== "GET" && method !== "HEAD" && methodsOf(pathname).includes(method);
  if (!isTaken) {
    return {
      status: 413,
      code: "body-not-taken",
      message: "This address takes no body.",
      hint: "Send the request without one.",
    };
  }
  // Whether a share's token is good its handler finds out, before it reads any of the body.
  const mayBeGuest =
    routeAt(pathname)?.guests.includes(method) === true &&
    shareTokenIn(headers.get("authorization")) !== null;
  if (!mayBeGuest && !isOwner({ headers })) return UNAUTHORISED;
  return Number(length) > MAX_BODY_BYTES ? BODY_TOO_LARGE : null;
}

/** What is told of a body that is longer, by its headers or when it has been counted. */
export const BODY_TOO_LARGE = {
  status: 413,
  code: "body-too-large",
  message: `A body has at most ${MAX_BODY_BYTES / 1024} KiB.`,
  hint: "Send less.",
} as const satisfies Refusal;

/** Why the gate turns a request away: the HTTP status, and what its body says. */
export type Refusal = {
  status: 401 | 403 | 404 | 405 | 413;
  code: string;
  message: string;
  hint: string;
  /** With a 405: the methods that the address takes, as the `Allow` header lists them. */
  allow?: string;
};

/** The answer that carries a refusal. Never cached, and never readable by another origin. */
export function toResponse({ status, code, message, hint, allow }: Refusal): Response {
  const body: ErrorBody = { error: { code, message, hint } };
  return Response.json(body, { status, headers: allow === undefined ? {} : { allow } });
}
