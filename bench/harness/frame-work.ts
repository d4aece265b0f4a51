import type { Browser, Page } from "@playwright/test";
import { traceFrames } from "./trace-frames";

/** Main-thread work in each frame while `drive` runs, in milliseconds. The browser must show no other page. */
export async function frameWork(
  _browser: Browser,
  page: Page,
  drive: () => Promise<unknown>,
): Promise<number[]> {
  const cdp = await page.context().newCDPSession(page);
  const { framesMs } = await traceFrames(cdp, drive);
  await cdp.detach();
  return framesMs;
}
