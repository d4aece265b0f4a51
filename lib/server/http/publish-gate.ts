import type { IncomingHttpHeaders } from "node:http";
import { type GateHeaders, isOwner } from "./authorise";
import { BODY_TOO_LARGE, checkRequest, MAX_BODY_BYTES, type Refusal } from "./gate";
import { allowedHosts } from "./hosts";

/** The gate as bin/cli/guard.mjs has it, which stands before Next in this process and is not compiled with it. */
export type PublishedGate = {
  /** `url` as in the request line. Returns `null` for what may pass. */
  check: (method: string, url: string, headers: IncomingHttpHeaders) => Refusal | null;
  /** Whether these headers carry the owner's token, at an address at which it is taken. */
  isOwner: (headers: IncomingHttpHeaders) => boolean;
  maxBodyBytes: number;
  bodyTooLarge: Refusal;
};

const KEY = Symbol.for("backscroll.gate");

/** Gives the guard the same checks that proxy.ts makes: there they come when Next has begun to keep the body. */
export function publishGate(): void {
  const gate: PublishedGate = {
    check: (method, url, headers) => {
      const pathname = url.split("?", 1)[0] ?? "";
      return checkRequest({ method, pathname, headers: gateHeaders(headers) }, allowedHosts(process.env));
    },
    isOwner: (headers) => isOwner({ headers: gateHeaders(headers) }),
    maxBodyBytes: MAX_BODY_BYTES,
    bodyTooLarge: BODY_TOO_LARGE,
  };
  (globalThis as { [KEY]?: PublishedGate })[KEY] = gate;
}

function gateHeaders(headers: IncomingHttpHeaders): GateHeaders {
  return {
    get: (name) => {
      const value = headers[name];
      return (Array.isArray(value) ? value.join(", ") : value) ?? null;
    },
  };
}
