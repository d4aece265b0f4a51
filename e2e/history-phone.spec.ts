import { devices, expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import type { RecordedServer } from "./support/serve-recordings";
import { test } from "./support/test";

// On a phone what is beside the thread lies over it, and Back leads out of it.

const AGENTS = "6a3a7dca-825e-4181-b3c0-80650e2fa644";

let server: RecordedServer;
test.beforeAll(({ recorded }) => {
  server = recorded;
});

const openSession = (page: Page): Promise<SessionPage> => SessionPage.open(page, server, AGENTS);
const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });

test.describe("on a phone", () => {
  const { defaultBrowserType: _, ...phone } = devices["Pixel 7"];
  test.use(phone);

  test("Back closes the outline, an agent's sheet below a dialog, the changes and the graph", async ({
    page,
  }) => {
    const session = await openSession(page);
    const { href } = new URL(page.url());
    const bar = page.getByRole("navigation", { name: "Session" });
    await bar.getByRole("button", { name: "Turns" }).click();
    const outline = page.getByRole("complementary", { name: "Outline" });
    await expect(outline).toBeVisible();
    await page.goBack();
    await expect(outline).toBeHidden();
    await session.ready();
    await page.getByRole("button", { name: "Open Explore code beside" }).first().click();
    const agent = page.getByRole("region", { name: "Agent Explore code" });
    await expect(agent).toBeVisible();
    await page.getByRole("button", { name: "Search or go to" }).click();
    await expect(dialogOf(page, "Go to or search")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(agent).toBeVisible();
    await page.goBack();
    await expect(agent).toHaveCount(0);
    await expect(page).toHaveURL(href);
    await session.ready();
    for (const [name, shown] of [
      ["Changes", page.getByRole("region", { name: "Changes" })],
      ["Graph", page.locator("[data-graph]")],
    ] as const) {
      await bar.getByRole("button", { name }).click();
      await expect(shown).toBeVisible();
      await page.goBack();
      await expect(shown).toHaveCount(0);
    }
    await session.ready();
  });

  test("the outline is used over another view too, and leads out of it; steps rest while the thread is covered", async ({
    page,
  }) => {
    const session = await openSession(page);
    const bar = page.getByRole("navigation", { name: "Session" });
    const outline = page.getByRole("complementary", { name: "Outline" });
    for (const [name, shown] of [
      ["Changes", page.getByRole("region", { name: "Changes" })],
      ["Graph", page.locator("[data-graph]")],
    ] as const) {
      await bar.getByRole("button", { name }).tap();
      await expect(shown).toBeVisible();
      for (const step of ["Previous", "Next", "Errors"])
        await expect(bar.getByRole("button", { name: step })).toBeDisabled();
      await bar.getByRole("button", { name: "Turns" }).tap();
      await outline.getByRole("button", { name: "Close outline" }).tap();
      await expect(outline).toBeHidden();
      await expect(shown).toBeVisible();
      await bar.getByRole("button", { name: "Turns" }).tap();
      await outline.getByRole("tabpanel").getByRole("button").first().tap();
      await expect(outline).toBeHidden();
      await expect(shown).toHaveCount(0);
      await session.ready();
      await expect(bar.getByRole("button", { name: "Next" })).toBeEnabled();
      // Back leads to the view, and from there to where the reader was.
      await page.goBack();
      await expect(shown).toBeVisible();
      await expect(outline).toBeHidden();
      await page.goBack();
      await expect(shown).toHaveCount(0);
    }
  });

  test("what the bars of a wide page have is in the menu, or in the palette by its name", async ({
    page,
  }) => {
    const session = await openSession(page);
    const choose = async (name: string) => {
      await page.getByRole("button", { name: "More", exact: true }).tap();
      await page.getByRole("menuitem", { name }).tap();
    };
    for (const [item, dialog] of [
      ["Share this view", "Share this view"],
      ["Settings", "Settings"],
      ["Export…", "Export"],
    ] as const) {
      await choose(item);
      await expect(dialogOf(page, dialog)).toBeVisible();
      await page.goBack();
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
    await choose("Fold all turns");
    await expect(page).toHaveURL(/fold=/);
    await choose("Unfold all turns");
    await expect(page).not.toHaveURL(/fold=/);
    await page.getByRole("button", { name: "Search or go to" }).tap();
    const palette = dialogOf(page, "Go to or search");
    for (const command of ["next edit", "previous error", "context: what the model was sent"]) {
      await palette.getByRole("combobox").fill(command);
      // What is called by its name stands before what may be found in the logs.
      await expect(palette.getByRole("option").first()).toHaveAccessibleName(new RegExp(`^${command}`, "i"));
    }
    await page.goBack();
    await session.ready();
  });
});
