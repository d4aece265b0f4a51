import { request } from "node:http";
import { Readable } from "node:stream";
import { localUrl } from "../running-server.mjs";
import { UsageError } from "../usage-error.mjs";

/**
 * The server to ask: one that is already running, or one started for this command.
 *
 * @typedef {{ host: string, port: number, basePath: string, token: string }} Server
 */

/**
 * Sends an API request, with a body or without. While a session is still being scanned (202) the request is repeated.
 *
 * @param {Server} server
 * @param {string} path below `/api/`
 * @param {{ method: string, json: object }} [body]
 * @returns {Promise<Response>} with a 2xx status
 * @throws {UsageError} with the API's own message and hint for any other status
 */
export async function ask(server, path, body) {
  for (;;) {
    const response = await send(
      server,
      path,
      body && { method: body.method, text: JSON.stringify(body.json) },
    );
    if (response.status === 202) {
      await response.arrayBuffer();
      continue;
    }
    if (response.ok) return response;
    // What Node itself refuses, such as an address of more than the guard lets through, has no body.
    const { error } = await response.json().catch(() => ({}));
    throw new UsageError(withFlags(error ? wordsOf(error) : `the server refused it (${response.status})`));
  }
}

/**
 * What the API says is wrong, and what to do, as one text.
 *
 * @param {{ message: string, hint: string }} error
 */
export const wordsOf = ({ message, hint }) => [message.replace(/\.$/, ""), hint].filter(Boolean).join(". ");

/**
 * What the API says of parameters, in words of the command line, whose flags have their names.
 *
 * @param {string} said
 */
function withFlags(said) {
  return said.replace(/The parameter "(\w+)"/, "The flag --$1").replace(/\bformat=(\w+)/, "--format $1");
}

/**
 * Sends one request, with a body or without, on a connection of its own. `fetch` would send it to the proxy that HTTP_PROXY names where Node is
 * told to follow that (NODE_USE_ENV_PROXY, from 22.21 and 24 on), token and all, and gives up on an answer that takes
 * five minutes, as the doctor's of some gigabytes does.
 *
 * @param {Server} server
 * @param {string} path below `/api/`
 * @param {{ method: string, text: string, headers?: Record<string, string>, signal?: AbortSignal | undefined }} [body] JSON
 * @returns {Promise<Response>} with any status
 */
export function send({ token, ...server }, path, body) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body ? { "content-type": "application/json" } : {}),
    ...body?.headers,
  };
  const to = `${localUrl(server)}/api/${path}`;
  return new Promise((resolve, reject) => {
    const { method = "GET", text, signal } = body ?? {};
    const asked = request(to, { method, headers, signal, agent: false });
    asked.on("response", (answer) => {
      const stream = /** @type {ReadableStream} */ (Readable.toWeb(answer));
      const type = answer.headers["content-type"] ?? "";
      resolve(new Response(stream, { status: answer.statusCode ?? 500, headers: { "content-type": type } }));
    });
    asked.on("error", reject);
    asked.end(text);
  });
}
