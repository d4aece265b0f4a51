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
export async function ask({ token, ...server }, path, body) {
  for (;;) {
    const response = await fetch(`${localUrl(server)}/api/${path}`, {
      headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { method: body.method, body: JSON.stringify(body.json) } : {}),
    });
    if (response.status === 202) {
      await response.arrayBuffer();
      continue;
    }
    if (response.ok) return response;
    // What Node itself refuses, such as an address of more than the guard lets through, has no body.
    const { error } = await response.json().catch(() => ({}));
    const said = error ? [error.message, error.hint] : [`the server refused it (${response.status})`];
    throw new UsageError(said.filter(Boolean).join(". "));
  }
}
