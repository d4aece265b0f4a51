import { rmSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { answer, prompt, uuid, writeTree } from "@/lib/testing/log-tree";
import { seriousViolationsInBothSchemes } from "./support/accessibility";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const SHOP = "projects/-home-dev-shop";
const at = (minute: number) =>
  new Date(Date.parse("2026-03-02T09:00:00.000Z") + minute * 60_000).toISOString();

/** A session of one prompt and what it was answered. */
function session(words: string, minute: number, tokens: number) {
  const name = `${words} ${minute}`;
  const said = answer(`answer ${name}`, { parentUuid: `u ${name}`, timestamp: at(minute + 1) });
  const usage = { input_tokens: 0, output_tokens: tokens };
  const message = { ...(said.message as object), model: "claude-opus-4-5-20251101", usage };
  return [prompt(words, { uuid: `u ${name}`, timestamp: at(minute) }), { ...said, message }];
}

const asked = {
  ...answer("asks", { parentUuid: "u Which shelf? 90", timestamp: at(91) }),
  message: {
    id: "msg-asks",
    role: "assistant",
    model: "claude-opus-4-5-20251101",
    content: [{ type: "tool_use", id: "t1", name: "AskUserQuestion", input: { questions: [] } }],
  },
};

let server: TestServer;
let folder: string;
test.beforeAll(async () => {
  const gone = { pastedContents: {}, project: "/home/dev/shop", sessionId: uuid(9) };
  folder = writeTree({
    [`${SHOP}/${uuid(1)}.jsonl`]: session("Run the tests", 0, 100),
    [`${SHOP}/${uuid(2)}.jsonl`]: session("run the  TESTS", 30, 50),
    [`${SHOP}/${uuid(3)}.jsonl`]: session("Explain the cart", 60, 9000),
    [`${SHOP}/${uuid(4)}.jsonl`]: [
      prompt("Which shelf?", { uuid: "u Which shelf? 90", timestamp: at(90) }),
      asked,
    ],
    "history.jsonl": [
      { display: "Sweep the walrus pen", timestamp: Date.parse(at(-5000)), ...gone },
      { display: "/clear", timestamp: Date.parse(at(-4000)), ...gone },
    ],
  });
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const prompts = (page: Page) =>
  page.getByRole("list", { name: "Prompts" }).getByRole("button", { name: /^Prompt:/ });

test("a prompt that was used twice is one, whose uses lead to their sessions and back", async ({ page }) => {
  await page.goto(`${server.url}/prompts#t=${server.token}`);
  await expect(prompts(page)).toHaveText([/Which shelf/, /Explain the cart/, /TESTS/, /walrus/]);
  await page
    .getByRole("radio", { name: "Most used" })
    .or(page.getByRole("button", { name: "Most used" }))
    .click();
  await expect(prompts(page).first()).toHaveText(/TESTS/);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const uses = page.getByRole("list", { name: "Uses, the latest first" }).getByRole("link");
  await expect(uses).toHaveCount(2);
  await uses.last().click();
  await expect(page).toHaveURL(new RegExp(`/sessions/${uuid(1)}\\?at=`));
  await expect(page.getByRole("main").getByText("Run the tests").first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/sort=uses/);
  // The prompt is open as it was, and has the focus: its next use is one step away.
  await expect(uses).toHaveCount(2);
  await expect(prompts(page).first()).toBeFocused();
  await page.reload();
  await expect(uses).toHaveCount(2);
});

test("a prompt whose log is gone is found, marked, and leads nowhere", async ({ page }) => {
  await page.goto(`${server.url}/prompts?q=walrus#t=${server.token}`);
  await expect(prompts(page)).toHaveCount(1);
  const line = page.getByRole("list", { name: "Prompts" }).getByRole("listitem");
  await expect(line).toContainText("log is gone");
  await expect(line.getByRole("link")).toHaveCount(0);
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
});

test("the costliest prompt over all sessions opens its turn", async ({ page }) => {
  await page.goto(`${server.url}/usage?view=prompts#t=${server.token}`);
  const rows = page.getByRole("table", { name: "Prompts by what came of them" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("Explain the cart");
  await page.getByRole("button", { name: "When" }).click();
  await expect(page).toHaveURL(/order=time/);
  await expect(rows.nth(1)).toContainText("Explain the cart");
  await expect(rows.nth(2)).toContainText("run the TESTS");
  await rows.nth(2).getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/sessions/${uuid(2)}\\?at=`));
});

test("a session that ended with a question is listed as unanswered", async ({ page }) => {
  await page.goto(`${server.url}/#t=${server.token}`);
  await page.getByRole("link", { name: "Unanswered" }).click();
  await expect(page).toHaveURL(/q=is:unanswered|q=is%3Aunanswered/);
  await expect(page.getByText("Ended with a question that was never answered")).toHaveCount(1);
  await expect(page.getByRole("link", { name: "Which shelf?" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Explain the cart" })).toHaveCount(0);
});
