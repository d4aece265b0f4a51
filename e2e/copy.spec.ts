import { expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { copiedBy } from "./support/clipboard";
import type { RecordedServer } from "./support/serve-recordings";
import { test } from "./support/test";

const AGENTS = "6a3a7dca-825e-4181-b3c0-80650e2fa644";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

let server: RecordedServer;
test.beforeAll(({ recorded }) => {
  server = recorded;
});

const copyByKey = (page: Page) => copiedBy(page, () => page.keyboard.press("Control+c"));

test("prompt, answer, call and several rows are copied by a key, and words that are selected as ever", async ({
  page,
}) => {
  const session = await SessionPage.open(page, server, AGENTS);
  await session.press("j");
  const prompt = session.rows.first();
  await expect(prompt).toBeFocused();
  const said = "Delegate. SCENARIO:task-parallel";
  expect(await copyByKey(page)).toBe(said);
  expect(await copiedBy(page, () => prompt.getByRole("button", { name: "Copy prompt" }).click())).toBe(said);

  // A call: what the agent was told, not the line that stands for it.
  const call = session.rows.filter({ has: page.getByRole("button", { name: /^Open Agent/ }) }).first();
  await call.click({ position: { x: 8, y: 8 } });
  await expect(call).toBeFocused();
  const told = await copyByKey(page);
  expect(told).toContain("SCENARIO:");
  expect(told).not.toContain("Agent");

  // From there up to the prompt.
  await prompt.click({ position: { x: 8, y: 8 }, modifiers: ["Shift"] });
  const markdown = await copyByKey(page);
  expect(markdown).toContain(`> ${said}`);
  expect(markdown).toContain("- **Agent**");

  // Words that the reader selected are copied by the browser, which says nothing.
  await prompt.getByRole("heading").selectText();
  await page.keyboard.press("Control+c");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(said);

  await test.step("a prompt of another session is found among one’s own and copied", async () => {
    await page.getByRole("link", { name: "Library" }).click();
    await page.getByRole("link", { name: "Your prompts" }).click();
    const prompts = page.getByRole("list", { name: "Prompts" });
    await expect(prompts.getByRole("button", { name: /^Prompt:/ }).first()).toBeVisible();
    await page.getByRole("searchbox", { name: "Search your prompts" }).fill("task-parallel");
    await expect(prompts.getByRole("button", { name: /^Prompt:/ })).toHaveText([
      /task-parallel/,
      /task-parallel/,
    ]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await expect(prompts.getByRole("button", { name: /^Prompt:/ }).first()).toBeFocused();
    expect(await copyByKey(page)).toMatch(/^(Delegate|Please do it)\. SCENARIO:task-parallel$/);
  });
});
