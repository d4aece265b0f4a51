import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import type { BenchServer } from "./server";

/** Starts Chromium, passes it to `work`, and closes it in any case. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const installed = [process.env.CHROMIUM_PATH, chromium.executablePath(), "/usr/bin/chromium"];
  const executablePath = installed.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("No Chromium. Set CHROMIUM_PATH.");
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** A page of a typical size, in its own browser profile, so that nothing is cached. */
export async function withPage<T>(
  browser: Browser,
  work: (page: Page, cdp: CDPSession) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    // tsx wraps functions with a helper that doesn't exist in the page.
    await context.addInitScript({ content: "globalThis.__name = (named) => named;" });
    const page = await context.newPage();
    return await work(page, await context.newCDPSession(page));
  } finally {
    await context.close();
  }
}

/** Measurements of opening a session, taken inside the page. */
export type Opening = {
  /** From navigation until a row with the prompt was in the viewport. */
  promptVisibleMs: number;
  /** Sums over all responses under `/api/` until one second after the prompt: bytes on the wire, and decoded. */
  apiEncodedBytes: number;
  apiDecodedBytes: number;
};

/** For a first prompt to be readable. */
const TIMEOUT_MS = 30_000;

/** Opens a session's page and waits until its first prompt is readable. */
export async function openSession(
  page: Page,
  cdp: CDPSession,
  server: BenchServer,
  session: { id: string; firstPrompt: string },
): Promise<Opening> {
  const traffic = await countApiTraffic(cdp);
  await page.addInitScript(watchForPrompt, promptStart(session.firstPrompt));
  await page.goto(`${server.url}/sessions/${session.id}#t=${server.token}`, { waitUntil: "commit" });
  const promptVisibleMs = await whenSeen(page);
  await page.waitForTimeout(1000);
  return { promptVisibleMs, apiEncodedBytes: traffic.encoded(), apiDecodedBytes: traffic.decoded() };
}

/** Opens an exported file from disk. Returns the milliseconds until its first prompt is readable. */
export async function openFile(page: Page, path: string, session: { firstPrompt: string }): Promise<number> {
  await page.addInitScript(watchForPrompt, promptStart(session.firstPrompt));
  await page.goto(pathToFileURL(path).href, { waitUntil: "commit" });
  return whenSeen(page);
}

/** Polls from outside: waiting inside the page takes `eval`, which its content security policy forbids. */
async function whenSeen(page: Page): Promise<number> {
  const giveUpAtMs = performance.now() + TIMEOUT_MS;
  while (performance.now() < giveUpAtMs) {
    const seenAtMs = await page.evaluate(() => window.backscrollPromptSeenAtMs ?? null);
    if (seenAtMs !== null) return seenAtMs;
    await page.waitForTimeout(30);
  }
  const shown = await page.evaluate(() => document.body.innerText.slice(0, 300));
  throw new Error(`no first prompt within ${TIMEOUT_MS} ms; the page shows: ${shown}`);
}

declare global {
  interface Window {
    backscrollPromptSeenAtMs?: number;
  }
}

/** Markdown markup and spaces are rendered as layout, so they are left out of the comparison. */
function promptStart(prompt: string): string {
  return prompt.replaceAll(/[`*_\s]/g, "").slice(0, 40);
}

/** Runs in the page, before its own scripts: checks on every frame. */
function watchForPrompt(wanted: string): void {
  const look = () => {
    for (const row of document.querySelectorAll("main [data-record-id]")) {
      if (!(row.textContent ?? "").replaceAll(/[`*_\s]/g, "").includes(wanted)) continue;
      const { top, height } = row.getBoundingClientRect();
      if (height === 0 || top < 0 || top >= innerHeight) continue;
      window.backscrollPromptSeenAtMs = performance.now();
      return;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function countApiTraffic(cdp: CDPSession): Promise<{ encoded(): number; decoded(): number }> {
  const requests = new Map<string, { encoded: number; decoded: number }>();
  await cdp.send("Network.enable");
  cdp.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (new URL(request.url).pathname.startsWith("/api/"))
      requests.set(requestId, { encoded: 0, decoded: 0 });
  });
  cdp.on("Network.dataReceived", ({ requestId, dataLength }) => {
    const known = requests.get(requestId);
    if (known) known.decoded += dataLength;
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const known = requests.get(requestId);
    if (known) known.encoded = encodedDataLength;
  });
  const sum = (field: "encoded" | "decoded") =>
    [...requests.values()].reduce((total, each) => total + each[field], 0);
  return { encoded: () => sum("encoded"), decoded: () => sum("decoded") };
}
