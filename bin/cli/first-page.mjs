import { request } from "node:http";
import { localUrl } from "./running-server.mjs";

/** Of no session: pages carry no data. */
const PAGE = "/sessions/00000000-0000-4000-8000-000000000000";

/**
 * Has a server that has just started draw a page, while the reader's browser starts: what that takes is loaded at the
 * first one (0.15 s with Next 16.4.6), and is then there for all.
 *
 * @param {Pick<import("./running-server.mjs").RunningServer, "host" | "port" | "basePath">} server
 * @returns {Promise<number | null>} the status, null where nothing answers within ten seconds
 */
export function drawFirstPage(server) {
  return new Promise((resolve) => {
    const asked = request(localUrl(server) + PAGE, { timeout: 10_000, agent: false });
    asked.on("response", (response) => {
      response.resume();
      response.on("close", () => resolve(response.statusCode ?? null));
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(null));
    asked.end();
  });
}
