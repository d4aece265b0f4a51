import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import { fixtureFolder } from "@/lib/testing/recorded";
import { SessionPage } from "../pages/session-page";
import type { TestServer } from "./server";

const FIXTURES = fixtureFolder("2.1.330");
/** The session that is written to. */
export const SESSION = "6a3a7dca-825e-4181-b3c0-80650e2fa644";

/** A configuration folder of recorded sessions, one of which is written to. */
export type LiveFolder = { dir: string; writer: LogWriter; remove: () => void };

/** Creates the folder; the session that is written to is long enough to scroll. */
export function liveFolder(): LiveFolder {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-live-"));
  cpSync(FIXTURES, dir, { recursive: true });
  const writer = new LogWriter(logOf(dir, SESSION));
  for (let turn = 1; turn <= 8; turn++) {
    writer.prompt(`Prompt ${turn}`);
    for (let n = 1; n <= 12; n++) writer.say(`Turn ${turn}, line ${n}`);
  }
  return { dir, writer, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Opens the session that is written to, and waits for its stream. */
export async function openLive(page: Page, server: TestServer, query = ""): Promise<SessionPage> {
  const session = new SessionPage(page);
  const streams = page.waitForResponse((response) => response.url().includes("/api/events"));
  await page.goto(`${server.url}/sessions/${SESSION}${query}#t=${server.token}`);
  await session.ready();
  await streams;
  // The stream joins the session after its first event, which arrives with the hello.
  await page.waitForTimeout(500);
  return session;
}
