import type { Page } from "@playwright/test";

/** Collects a page's errors and policy violations from its first script on. Call it before opening the page. */
export async function watchPolicy(page: Page): Promise<string[]> {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  await page.exposeFunction("reportViolation", (text: string) => problems.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
      const report = (window as unknown as { reportViolation: (text: string) => void }).reportViolation;
      report(`${violatedDirective} blocked ${blockedURI || "inline"} in ${sourceFile}`);
    });
  });
  return problems;
}
