import type { AllowedHost } from "./allowed-hosts";
import { checkFetchSite } from "./check-fetch-site";
import { checkHost } from "./check-host";
import { checkOrigin } from "./check-origin";
import type { Refusal } from "./refusal";

/** What the gate looks at: `pathname` is decoded by nobody, as it stands in the request line. */
export type GateRequest = { method: string; pathname: string; headers: Headers };

/**
 * All that is refused before a page, a handler or a static file is looked for. `/api` takes no foreign
 * caller; pages hold no data and may be linked to from anywhere, so their `Sec-Fetch-Site` is not asked.
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
    checkFramework(pathname, headers)
  );
}

const isApi = (pathname: string) => /^\/api(\/|$)/i.test(pathname);

function checkMethod(method: string, pathname: string): Refusal | null {
  if (method === "OPTIONS") {
    return {
      status: 403,
      code: "no-cross-origin",
      message: "No other origin is ever allowed here.",
      hint: "Call the API from Backscroll's own page, or from outside a browser.",
    };
  }
  if (method === "GET" || method === "HEAD" || isApi(pathname)) return null;
  return {
    status: 405,
    code: "method-not-allowed",
    message: `A page cannot take ${method}.`,
    hint: "Send it to an address under /api.",
  };
}

/** Doors of the framework that this app does not use. */
function checkFramework(pathname: string, headers: Headers): Refusal | null {
  if (headers.has("next-action") || pathname.startsWith("/_next/image")) {
    return {
      status: 404,
      code: "not-found",
      message: "There is nothing at this address.",
      hint: "Start from the library at /.",
    };
  }
  return null;
}
