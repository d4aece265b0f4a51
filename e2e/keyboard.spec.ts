import { expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { violationsIn } from "./support/accessibility";
import { copiedBy } from "./support/clipboard";
import type { RecordedServer } from "./support/serve-recordings";
import { test } from "./support/test";

const AGENTS = "6a3a7dca-825e-4181-b3c0-80650e2fa644";
const REWOUND = "dd25a5c9-47db-4d15-b95b-2a334173ea5b";
const EDITED = "3b520560-9e45-4a42-a9df-8bcf1b5fe7d7";

let server: RecordedServer;
test.beforeAll(({ recorded }) => {
  server = recorded;
});

async function open(page: Page, path: string): Promise<SessionPage> {
  return SessionPage.open(page, server, path);
}

const focusedName = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
  );

test("a session is worked by the keyboard alone", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const session = await open(page, AGENTS);

  // Tab comes first to the way past the bars, and Enter takes it.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await session.press("Tab");
  await expect(page.getByRole("button", { name: "Skip to content" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Skip to content" })).toBeInViewport();
  await session.press("Enter");
  await expect(session.thread).toBeFocused();

  // Rows: down, open, close, the next turn, an agent beside, and back.
  await session.press("j", "j");
  await expect.poll(() => session.focusedRow()).not.toBeNull();
  await session.press("J", "j", "o");
  await expect(page.locator('article button[aria-label^="Close "]')).toHaveCount(1);
  await session.press("o");
  await expect(page.locator('article button[aria-label^="Close "]')).toHaveCount(0);
  await session.press("K", "K");
  const call = session.rows.filter({ hasText: "Slow check" }).first();
  for (let step = 0; step < 10; step++) {
    const index = await call.getAttribute("data-index");
    const focused = await session.focusedRow();
    if (index !== null && Number(index) === focused) break;
    await session.press("j");
    await expect.poll(() => session.focusedRow()).not.toBe(focused);
  }
  await session.press("p");
  await expect(page.getByRole("region", { name: "Agent Slow check" })).toBeVisible();
  await session.press("Escape");
  await expect(page.getByRole("region", { name: "Agent Slow check" })).toHaveCount(0);

  // Brief, inspector, changes, graph: each opens with a key and goes with Escape or the same key.
  await session.press("b");
  await expect(page.getByRole("region", { name: /Turn \d+ in brief/ })).toBeVisible();
  await session.press("b", "i");
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  await session.press("Escape");
  await expect(page.getByRole("region", { name: "Inspector" })).toHaveCount(0);
  await session.press("g");
  await expect(page.getByRole("tree", { name: "Graph of the session" })).toBeFocused();
  await session.press("ArrowRight", "g");
  await expect(page.getByRole("tree", { name: "Graph of the session" })).toHaveCount(0);

  // The list of keys has those of edits, branches and files.
  await session.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  for (const label of ["next edit", "previous edit", "next branch", "previous branch", "copy path:line"])
    await expect(keys.getByText(label, { exact: true })).toBeVisible();
  await expect(keys.getByText("open in the editor")).toHaveCount(0);
  await expect(keys.getByRole("heading", { level: 3 })).toHaveText([
    "Move",
    "Find",
    "Open and read",
    "Mark and organise",
    "Views and panes",
    "Copy and share",
    "Settings and help",
  ]);
  await session.press("Escape");
  await expect(keys).toHaveCount(0);

  await test.step("the outline is one stop of Tab, and arrows move in it", async () => {
    const outline = page.getByRole("complementary", { name: "Outline" });
    await expect(outline.getByRole("button").nth(2)).toBeVisible();
    await expect(outline.locator("[data-roving][tabindex='0']")).toHaveCount(1);
    await outline.getByRole("tab", { selected: true }).focus();
    await session.press("Tab");
    const first = await focusedName(page);
    await expect(outline.locator("[data-roving]:focus")).toHaveCount(1);
    await session.press("ArrowDown");
    await expect(outline.locator("[data-roving]:focus")).toHaveCount(1);
    expect(await focusedName(page)).not.toBe(first);
    await session.press("Home");
    expect(await focusedName(page)).toBe(first);
    await session.press("ArrowDown", "Enter");
    // The thread has the focus: the entry's row is selected.
    await expect.poll(() => session.focusedRow()).not.toBeNull();
    // Back in the outline, Tab leaves it at once.
    await outline.getByRole("tab", { selected: true }).focus();
    await session.press("Tab", "Tab");
    await expect(outline.locator(":focus")).toHaveCount(0);
  });

  await test.step("every control has a name of its own, and axe finds nothing", async () => {
    const names = await session.thread
      .locator("button[aria-expanded]")
      .evaluateAll((buttons) =>
        buttons.map((button) => button.getAttribute("aria-label") ?? button.textContent ?? ""),
      );
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => /^(Open|Close)$/.test(name.trim()) || name.trim() === "")).toEqual([]);
    const unnamed = await page
      .locator("button, a[href], input")
      .evaluateAll((controls) =>
        controls
          .filter(
            (one) =>
              !(one.getAttribute("aria-label") || one.textContent?.trim() || one.getAttribute("title")),
          )
          .map((one) => one.outerHTML.slice(0, 120)),
      );
    expect(unnamed).toEqual([]);
    await session.press("j", "j", "o");
    expect(await violationsIn(page)).toEqual([]);
  });
});

test("the focus stays in the thread when a view hides the row that has it, and comes back to that row", async ({
  page,
}) => {
  const session = await open(page, AGENTS);
  await session.press("j", "j", "j", "j");
  const row = session.thread.locator("article:focus");
  await expect(row).toHaveCount(1);
  const recordId = await row.getAttribute("data-record-id");
  await session.press("1");
  await expect(session.row(recordId ?? "")).toHaveCount(0);
  await expect(session.thread).toBeFocused();
  await session.press("3");
  await expect(session.row(recordId ?? "")).toBeFocused();
});

test("keys go from edit to edit, copy and open the file of one, and go from branch to branch", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const session = await open(page, EDITED);
  const selected = session.rows.and(page.locator(":focus"));
  await session.press("}");
  await expect(selected).toContainText(/[+−]\d/);
  const first = await session.focusedRow();
  await session.press("}");
  await expect.poll(() => session.focusedRow()).toBeGreaterThan(first ?? 0);
  await expect(selected).toContainText(/[+−]\d/);
  await session.press("{");
  await expect.poll(() => session.focusedRow()).toBe(first);
  await session.press("{");
  await expect(page.getByText("No edit above")).toBeVisible();

  await test.step("a row's file is copied as path:line, and opened in the editor of the settings", async () => {
    await session.press("}");
    await expect.poll(() => session.focusedRow()).not.toBeNull();
    const copied = await copiedBy(page, () => session.press("Y"));
    expect(copied).toMatch(/^\/home\/dev\/.+:\d+$/);

    await session.press(",");
    const settings = page.getByRole("dialog", { name: "Settings" });
    const link = settings.getByRole("textbox", { name: "Link that opens a file" });
    await link.fill("javascript:alert({path})");
    await expect(settings.getByText(/opened by the browser/)).toBeVisible();
    await settings.getByRole("button", { name: "VS Code" }).click();
    await expect(link).toHaveValue("vscode://file{path}:{line}");
    await session.press("Escape");
    await page.evaluate(() => {
      document.addEventListener(
        "click",
        (event) => {
          const link = event.target instanceof HTMLAnchorElement ? event.target : null;
          if (!link?.href.startsWith("vscode:")) return;
          event.preventDefault();
          document.title = link.href;
        },
        true,
      );
      // A link that is clicked outside the page's tree reaches no listener of it.
      const click = HTMLAnchorElement.prototype.click;
      HTMLAnchorElement.prototype.click = function () {
        if (this.href.startsWith("vscode:")) document.title = this.href;
        else click.call(this);
      };
    });
    await session.press("E");
    await expect.poll(() => page.title()).toBe(`vscode://file${copied}`);
    await page.reload();
    await session.ready();
    await session.press("?");
    await expect(page.getByRole("dialog", { name: "Keys" }).getByText("open in the editor")).toBeVisible();
  });

  const forked = await open(page, REWOUND);
  await expect(forked.rows.filter({ hasText: "2 of 2" })).toHaveCount(1);
  await forked.press("(");
  await expect(forked.rows.filter({ hasText: "1 of 2" })).toBeVisible();
  await expect(page).toHaveURL(/branch=/);
  await forked.press(")");
  await expect(forked.rows.filter({ hasText: "2 of 2" })).toBeVisible();
});
