import { test as base } from "@playwright/test";
import { type RecordedServer, serveRecordings } from "./serve-recordings";
import { startServer, type TestServer } from "./server";

/** Servers for specs that only look: a worker starts each once, when a spec first asks for it. */
type SharedServers = {
  /** Shows the sample sessions. */
  samples: TestServer;
  /** Shows the recordings of 2.1.330. */
  recorded: RecordedServer;
};

/**
 * Every spec takes its `test` here, also one that starts a server of its own: for a `test` with other fixtures
 * Playwright ends the worker and its browser, and starts others.
 */
export const test = base.extend<object, SharedServers>({
  samples: [untilWorkerEnds(() => startServer()), { scope: "worker" }],
  recorded: [untilWorkerEnds(() => serveRecordings(["2.1.330"])), { scope: "worker" }],
});

function untilWorkerEnds<Server extends TestServer>(start: () => Promise<Server>) {
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads there which other fixtures are asked for
  return async ({}: object, use: (server: Server) => Promise<void>) => {
    const server = await start();
    await use(server);
    await server.stop();
  };
}
