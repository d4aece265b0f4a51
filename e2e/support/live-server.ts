import { rmSync } from "node:fs";
import { type Page } from "@playwright/test";
import type { LogWriter } from "@/lib/testing/log-writer";
import type { SessionPage } from "../pages/session-page";
import { type LiveFolder, liveFolder, newLiveSession, openLive, SESSION } from "./live-folder";
import { type ServerOptions, startServer, type TestServer } from "./server";
import { test } from "./test";

/** The server of the running test, and the session in its folder that the test writes to. */
export type LiveServer = {
  folder: LiveFolder;
  server: TestServer;
  sessionId: string;
  writer: LogWriter;
  /** Opens the session in a page, and waits for its stream. @param url another address of the server */
  open: (page: Page, query?: string, url?: string) => Promise<SessionPage>;
  /** For a test that stops its server, or sees all that runs: from here on a folder and a server of its own. */
  startOwn: () => Promise<void>;
  /** Kills a test's own server. Started again, it has the same address and data. */
  kill: () => void;
  startAgain: () => Promise<void>;
};

/**
 * Serves a folder to all tests of the calling file, each of which has a session of its own there. What is returned
 * holds within a test.
 */
export function serveLive(
  optionsOf: () =>
    | Omit<ServerOptions, "claudeDirs">
    | Promise<Omit<ServerOptions, "claudeDirs">> = () => ({}),
): LiveServer {
  let shared: { folder: LiveFolder; server: TestServer };
  const live = {
    open: (page: Page, query = "", url = live.server.url) =>
      openLive(page, { ...live.server, url }, query, live.sessionId),
    startOwn: async () => {
      const folder = liveFolder();
      const server = await startServer({ claudeDirs: [folder.dir] });
      Object.assign(live, { folder, server, sessionId: SESSION, writer: folder.writer });
    },
    kill: () => void live.server.process.kill(),
    startAgain: async () => {
      const { dataDir, url } = live.server;
      const args = ["--port", new URL(url).port];
      live.server = await startServer({ claudeDirs: [live.folder.dir], dataDir, args });
    },
  } as LiveServer;

  test.beforeAll(async () => {
    const folder = liveFolder();
    shared = { folder, server: await startServer({ claudeDirs: [folder.dir], ...(await optionsOf()) }) };
  });
  test.afterAll(async () => {
    await shared.server.stop();
    shared.folder.remove();
  });
  test.beforeEach(async () => {
    const { id: sessionId, writer } = await newLiveSession(shared.folder, shared.server);
    Object.assign(live, { ...shared, sessionId, writer });
  });
  test.afterEach(async () => {
    if (live.folder === shared.folder) return;
    await live.server.stop();
    rmSync(live.server.dataDir, { recursive: true, force: true });
    live.folder.remove();
  });
  return live;
}
