import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { type GateHeaders, isOwner } from "./authorise";
import { BODY_TOO_LARGE, checkRequest, MAX_BODY_BYTES, type Refusal } from "./gate";
import { allowedHosts } from "./hosts";
import { type StaticFile, StaticFiles } from "./static-files";

/** The gate as bin/cli/serving/guard.mjs has it, which stands before Next in this process and is not compiled with it. */
export type PublishedGate = {
  /** `url` as in the request line. Returns `null` for what may pass. */
  check: (method: string, url: string, headers: IncomingHttpHeaders) => Refusal | null;
  /** Whether these headers carry the owner's token, at an address at which it is taken. */
  isOwner: (headers: IncomingHttpHeaders) => boolean;
  maxBodyBytes: number;
  bodyTooLarge: Refusal;
  /** A file of the page, for a request that passed the check; null where Next is to answer. */
  staticFile: (method: string, url: string, headers: IncomingHttpHeaders) => StaticFile | null;
};

const KEY = Symbol.for("backscroll.gate");
/** Where the build's chunks are: a built server runs in its own folder. */
const CHUNKS = [process.env.BACKSCROLL_DIST_DIR ?? ".next", "static", "chunks"];

/**
 * Gives the guard the same checks that proxy.ts makes, since there they come when Next has begun to keep the body, and the
 * files of the pages, which it sends faster.
 */
export function publishGate(): void {
  const files = new StaticFiles(join(process.cwd(), ...CHUNKS));
  const gate: PublishedGate = {
    check: (method, url, headers) => {
      const pathname = url.split("?", 1)[0] ?? "";
      return checkRequest({ method, pathname, headers: gateHeaders(headers) }, allowedHosts(process.env));
    },
    isOwner: (headers) => isOwner({ headers: gateHeaders(headers) }),
    maxBodyBytes: MAX_BODY_BYTES,
    bodyTooLarge: BODY_TOO_LARGE,
    staticFile: (method, url, headers) => files.find(method, url, gateHeaders(headers)),
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
