import type { Page } from "@playwright/test";

/** What a page draws counts as done when it has been the same for so many frames. */
const FRAMES = 20;

/** What `read` tells of a page once it no longer changes, in frames of the page's own: a busy machine draws fewer. */
export async function steady<T>(page: Page, read: () => Promise<T>): Promise<T> {
  let value = await read();
  for (let same = 0; same < FRAMES; same++) {
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    const now = await read();
    if (JSON.stringify(now) !== JSON.stringify(value)) same = -1;
    value = now;
  }
  return value;
}
