import type { AllowedHost } from "./allowed-hosts";
import { checkBody, type GateHeaders } from "./check-body";
import { checkFetchSite } from "./check-fetch-site";
import { checkHost } from "./check-host";
import { checkMethod, isApi } from "./check-method";
import { checkOrigin } from "./check-origin";
import type { Refusal } from "./refusal";

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
