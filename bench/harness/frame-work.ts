import type { Browser, Page } from "@playwright/test";
import { traceFrames } from "./trace-frames";

/** Milliseconds of main-thread work in each frame while `drive` runs. The browser shows this page alone. */
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
