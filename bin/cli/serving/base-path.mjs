/*
 * `--base-path`: Backscroll below a path of its host. Next fixes such a path when it builds, and there is one build for
 * all, so Next is at the root and does not know of it. What it is asked comes without the path, and what it names in its
 * answers gets it. Our own code says where its links and requests lead: lib/client/address/base-path.ts.
 */

/**
 * Takes the base path off the address of a request, as Next is to see it.
 *
 * @param {import("node:http").IncomingMessage} request
 * @param {string} basePath like `/logs`; empty: none
 * @returns {boolean} whether the request was for something below the path; if not, it is left as it is
 */
export function enterBasePath(request, basePath) {
  const { url = "" } = request;
  if (!url.startsWith(basePath) || !/^([/?]|$)/.test(url.slice(basePath.length))) return false;
  const rest = url.slice(basePath.length);
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  return true;
}

/** Next's own files, where it names them: in markup, in what makes a page of data, in scripts. */
const FILES = /(?<=["'(])\/_next\//g;
const NAMING = /^(text\/html|text\/x-component|text\/css|(text|application)\/javascript)\b/;

/**
 * Has an answer of Next name its files below the base path, and tell the router that the page is another than the address
 * says, which is how Next tells of a rewritten one. The API's answers are left alone: Next names nothing in them, and they
 * stream.
 *
 * @param {import("node:http").IncomingMessage} request already without the path
 * @param {import("node:http").ServerResponse} response
 * @param {string} basePath
 */
export function nameFilesBelow({ url = "", headers }, response, basePath) {
  const [pathname = ""] = url.split("?", 1);
  if (/^\/api(\/|$)/.test(pathname)) return;
  if (headers.rsc !== undefined) response.setHeader("x-nextjs-rewritten-path", pathname);
  // A part of a file would be one of the file as it is on disk.
  for (const name of ["range", "if-range"]) delete headers[name];

  const end = response.end.bind(response);
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {(part: any, encoding?: any) => void} */
  const keep = (part, encoding) => {
    if (part !== null && part !== undefined && typeof part !== "function")
      parts.push(typeof part === "string" ? Buffer.from(part, encoding) : Buffer.from(part));
  };
  /** @type {(...args: any[]) => any} */
  const calledBack = (...args) => args.find((arg) => typeof arg === "function");
  // Pages are a shell without data, and the largest file is one of a grammar: each fits in memory.
  response.flushHeaders = () => undefined;
  response.write = (/** @type {any[]} */ ...args) => {
    keep(args[0], args[1]);
    const written = calledBack(...args);
    if (written) process.nextTick(written);
    return true;
  };
  response.end = /** @type {typeof end} */ (
    (/** @type {any[]} */ ...args) => {
      keep(args[0], args[1]);
      const body = Buffer.concat(parts);
      const ended = calledBack(...args);
      if (!NAMING.test(String(response.getHeader("content-type")))) return end(body, "utf8", ended);
      response.removeHeader("content-length");
      return end(body.toString().replace(FILES, `${basePath}/_next/`), "utf8", ended);
    }
  );
}
