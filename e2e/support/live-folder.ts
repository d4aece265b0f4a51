import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import { fixtureFolder } from "@/lib/testing/recorded";
import { SessionPage } from "../pages/session-page";
import { joinedStream } from "./joined-stream";
import { ask, type TestServer } from "./server";

const FIXTURES = fixtureFolder("2.1.330");
/** The session that is written to. */
export const SESSION = "6a3a7dca-825e-4181-b3c0-80650e2fa644";

/** A session that is written to. */
export type LiveSession = { id: string; writer: LogWriter };

/**
 * A configuration folder of recorded sessions, one of which is written to. `newSession` adds another one to write to, so
 * that tests which share a server do not see each other's lines.
 */
export type LiveFolder = {
  dir: string;
  writer: LogWriter;
  newSession: () => LiveSession;
  remove: () => void;
};

/** Creates the folder; the sessions that are written to are long enough to scroll. */
export function liveFolder(): LiveFolder {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-live-"));
  cpSync(FIXTURES, dir, { recursive: true });
  const log = logOf(dir, SESSION);
  const writer = new LogWriter(log);
  writeTurns(writer);
  const newSession = () => {
    const id = randomUUID();
    const own = new LogWriter(join(dirname(log), `${id}.jsonl`), "root");
    writeTurns(own);
    return { id, writer: own };
  };
  return { dir, writer, newSession, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

function writeTurns(writer: LogWriter): void {
  for (let turn = 1; turn <= 8; turn++) {
    writer.prompt(`Prompt ${turn}`);
    for (let n = 1; n <= 12; n++) writer.say(`Turn ${turn}, line ${n}`);
  }
}

/** Adds a session to write to, and waits until the server has heard of it. */
export async function newLiveSession(folder: LiveFolder, server: TestServer): Promise<LiveSession> {
  const session = folder.newSession();
  await expect(async () => {
    await ask(server, `sessions/${session.id}`);
  }).toPass({ intervals: [50] });
  return session;
}

/** Opens a session that is written to, and waits until what is written to it comes by the page's stream. */
export async function openLive(
  page: Page,
  server: Pick<TestServer, "url" | "token">,
  query = "",
  id = SESSION,
): Promise<SessionPage> {
  const session = new SessionPage(page);
  const joined = await joinedStream(page);
  await page.goto(`${server.url}/sessions/${id}${query}#t=${server.token}`);
  await session.ready();
  await joined();
  return session;
}
