import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contentSecurityPolicy, setAnswerHeaders } from "./answer-headers";
import type { GateHeaders } from "./authorise";

/** A file of the page as it is sent: with the headers that the gate and Next put on it. */
export type StaticFile = { headers: Record<string, string | number>; body: Uint8Array };

const PLACE = "/_next/static/chunks/";
/** Of what a page is made. All else below `/_next/static` is sent by Next. */
const TYPES = [
  [".js", "application/javascript; charset=UTF-8"],
  [".css", "text/css; charset=UTF-8"],
] as const;

/**
 * The scripts and styles of the pages, from memory. A page takes some 25 of them at once, and Next needs 1.5 ms of the
 * server's one thread for each (16.4.6), a tenth of the time in which a session opens. They are named by their content, so
 * that none changes, and each is read once, when it is first asked for: 5 MB in all, 1.4 MB for a session's page.
 */
export class StaticFiles {
  readonly #dir: string;
  readonly #types: ReadonlyMap<string, string>;
  readonly #read = new Map<string, Uint8Array>();

  /** @param dir the folder of the build's chunks; one that is not there has none */
  constructor(dir: string) {
    this.#dir = dir;
    this.#types = new Map(namesIn(dir).flatMap((name) => typesOf(name).map((type) => [name, type] as const)));
  }

  /**
   * The file that a request asks for whole. Null where that is Next's to answer: anything else, a part of a file, one that
   * the browser has, one that cannot be read any more.
   * @param url as in the request line
   */
  find(method: string, url: string, headers: GateHeaders): StaticFile | null {
    if (method !== "GET" || !url.startsWith(PLACE)) return null;
    if (headers.get("range") !== null || headers.get("if-none-match") !== null) return null;
    if (headers.get("if-modified-since") !== null) return null;
    const name = url.slice(PLACE.length).split("?", 1)[0] ?? "";
    const type = this.#types.get(name);
    const body = type === undefined ? null : this.#bodyOf(name);
    return type === undefined || body === null ? null : { headers: headersOf(type, body.length), body };
  }

  #bodyOf(name: string): Uint8Array | null {
    const known = this.#read.get(name);
    if (known) return known;
    try {
      const body = readFileSync(join(/*turbopackIgnore: true*/ this.#dir, name));
      this.#read.set(name, body);
      return body;
    } catch {
      return null;
    }
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(/*turbopackIgnore: true*/ dir);
  } catch {
    return [];
  }
}

function typesOf(name: string): string[] {
  return TYPES.filter(([ending]) => name.endsWith(ending)).map(([, type]) => type);
}

function headersOf(type: string, length: number): Record<string, string | number> {
  const headers = new Headers();
  // As of every answer: it holds where the file is a worker's script. Nothing has to know the nonce.
  const nonce = Buffer.from(crypto.randomUUID()).toString("base64");
  setAnswerHeaders(headers, contentSecurityPolicy(nonce, false), true);
  return {
    ...Object.fromEntries(headers),
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": type,
    "content-length": length,
  };
}
