import { expect, type Page } from "@playwright/test";

/**
 * What `copy` puts on the clipboard, once it is there and the page has said so. It says that for three seconds alone: on a
 * busy machine a test that looks for the words comes too late. The context must be allowed to read and write the clipboard.
 */
export async function copiedBy(page: Page, copy: () => Promise<void>): Promise<string> {
  const said = await page.evaluateHandle(async () => {
    await navigator.clipboard.writeText("");
    const texts: string[] = [];
    const note = ({ target, addedNodes }: MutationRecord) => {
      if (target instanceof Element && target.closest('[role="status"]'))
        texts.push(...[...addedNodes].map(({ textContent }) => textContent ?? ""));
    };
    new MutationObserver((changes) => changes.forEach(note)).observe(document.body, {
      childList: true,
      subtree: true,
    });
    return texts;
  });
  await copy();
  await expect.poll(() => said.evaluate((texts) => texts.join("\n"))).toMatch(/copied/i);
  await said.dispose();
  return page.evaluate(() => navigator.clipboard.readText());
}
