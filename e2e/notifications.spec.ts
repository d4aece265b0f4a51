import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import type { LogWriter } from "@/lib/testing/log-writer";
import { watchPolicy } from "./pages/watch-policy";
import { liveFolder } from "./support/live-folder";
import { startServer, type TestServer } from "./support/server";

let server: TestServer;
let writer: LogWriter;
let remove: () => void;

test.beforeEach(async ({ context }) => {
  let folder: string;
  ({ dir: folder, writer, remove } = liveFolder());
  server = await startServer({ claudeDirs: [folder] });
  await context.addInitScript(() => {
    const told: string[] = [];
    class Told {
      static permission = "default";
      static async requestPermission() {
        Told.permission = "granted";
        return Told.permission;
      }
      constructor(_title: string, { body }: { body: string }) {
        told.push(body);
      }
    }
    let tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...args) {
      tones += 1;
      start.apply(this, args);
    };
    Object.assign(window, { Notification: Told, told, tones: () => tones });
  });
});
test.afterEach(async () => {
  await server.stop();
  remove();
});

type Told = { told: string[]; tones: () => number };
const told = (page: Page) => page.evaluate(() => (window as unknown as Told).told);
const tones = (page: Page) => page.evaluate(() => (window as unknown as Told).tones());

test("rules tell of running sessions, with why, and nothing is told without one", async ({ page }) => {
  const problems = await watchPolicy(page);
  await page.goto(`${server.url}/now#t=${server.token}`);
  writer.prompt("Look at the settings");
  await expect(page.getByRole("feed", { name: "Running sessions" }).getByRole("article")).toHaveCount(1);
  writer.result(writer.call("Bash", { command: "cat .env.local" }), "");
  await expect(page.getByRole("feed").getByText("cat .env.local")).toBeVisible();

  await page.keyboard.press("B");
  const dialog = page.getByRole("dialog", { name: "Notifications" });
  await expect(dialog.getByText("Nothing yet")).toBeVisible();
  for (const name of [/waits for me/, /has a call that fails/, /names a \.env file/, "with a short sound"])
    await dialog.getByRole("checkbox", { name }).check();
  const query = dialog.getByRole("textbox", { name: "makes a call that this finds:" });
  await query.fill("is:starred");
  await expect(dialog.getByText("is: says nothing of a single call")).toBeVisible();
  await query.fill("tool:Bash push");
  await query.press("Enter");
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  writer.result(writer.call("Bash", { command: "git push --force" }), "done");
  writer.result(writer.call("Read", { file_path: "/home/dev/shop/.env" }), "SECRET=1");
  writer.failure(writer.call("Bash", { command: "npm test" }), "1 failed");
  writer.call("AskUserQuestion", { questions: [{ question: "Tea or coffee?", options: [] }] });
  const list = dialog.getByRole("region", { name: "What was told" }).getByRole("listitem");
  await expect(list).toHaveCount(4);
  await expect(list.filter({ hasText: "A call is found by tool:Bash push" })).toContainText(
    "git push --force",
  );
  await expect(list.filter({ hasText: "Reads a .env file" })).toContainText(".env");
  await expect(list.filter({ hasText: "A call has failed" })).toContainText("npm test");
  await expect(list.filter({ hasText: "Has a question for you" })).toHaveCount(1);
  expect((await told(page)).length).toBe(4);
  expect(await tones(page)).toBeGreaterThanOrEqual(2);

  // It is kept with this browser, on every page.
  await page.goto(`${server.url}/`);
  await page.keyboard.press("B");
  await expect(list).toHaveCount(4);
  await expect(dialog.getByRole("checkbox", { name: /waits for me/ })).toBeChecked();
  await dialog.getByRole("button", { name: "Clear" }).click();
  await expect(list).toHaveCount(0);
  expect(problems).toEqual([]);
});
