import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { violationsIn } from "./support/accessibility";
import { CallLog } from "./support/call-log";
import { type RecordedServer, serveRecordings } from "./support/serve-recordings";
import { steady } from "./support/steady";
import { test } from "./support/test";

const SESSION = "30000000-0000-4000-8000-000000000001";
const OUTPUT = "30000000-0000-4000-8000-000000000002";
/** Three agents at once (scenario task-parallel), and one that starts another (task-nested). */
const PARALLEL = "85d77204-b1e3-4b1e-aaeb-9364c1b70e02";
const NESTED = "3f45ef1b-8857-4eff-95a0-66f76b562ec2";
/** Called my-branch by its user. */
const RENAMED = "48467c35-1f59-43e3-9d6c-e5e106380cc4";
/** With hooks (scenario hooked). */
const HOOKED = "e6afd821-cb4a-432f-bcaf-66a564616ca2";

/** Cut at 110 characters before, whatever the width, or repeated in grey below. */
const MIDDLE =
  "Why does the retry test fail about once in twenty runs on the slow runner, and never on my own machine?";
const LONG = `${MIDDLE} Look at the clock first, then at the jitter, and tell me which of the two it is before you change anything at all.`;

let folder: string;
let server: RecordedServer;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-page-"));
  const project = join(folder, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  const log = new CallLog(join(project, `${SESSION}.jsonl`));
  log.prompt(MIDDLE, { gitBranch: "fix/a-branch-with-a-rather-long-name" });
  log.say("It is the clock.");
  log.prompt(LONG);
  log.read("clock.ts", "no such file");
  log.prompt("Then these:\n\n- the clock\n- the jitter");
  log.edit("retry.ts", ["// retry", "const tries = 3;", "export { tries };"], 2, "const tries = 5;");
  log.say("Both are done.");
  const output = join(project, `${OUTPUT}.jsonl`);
  new CallLog(output).prompt("Print a lot");
  appendFileSync(output, longOutput());
  server = await serveRecordings(["2.1.330"], { claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const LINES = 12_000;

/** A command that printed more than is sent with its call, as a client before 2.1.29 logs it: in the line itself. */
function longOutput(): string {
  const stdout = Array.from(
    { length: LINES },
    (_, n) => `line ${n + 1} of an output that goes on and on\n`,
  ).join("");
  const at = {
    sessionId: "s",
    cwd: "/home/dev/shop",
    version: "2.0.76",
    timestamp: new Date().toISOString(),
  };
  const call = {
    ...at,
    type: "assistant",
    uuid: "00000000-0000-4000-8000-0000000000a1",
    parentUuid: "00000000-0000-4000-8000-000000000000",
    message: {
      id: "m1",
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "seq 12000" } }],
    },
  };
  const result = {
    ...at,
    type: "user",
    uuid: "00000000-0000-4000-8000-0000000000a2",
    parentUuid: call.uuid,
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: stdout }] },
    toolUseResult: { stdout, stderr: "", interrupted: false, isImage: false },
  };
  return `${JSON.stringify(call)}\n${JSON.stringify(result)}\n`;
}

async function openSession(page: Page, id: string, query = ""): Promise<SessionPage> {
  return SessionPage.open(page, server, `${id}${query}`);
}

const outlineOf = (page: Page) => page.getByRole("complementary", { name: "Outline" });

/** How many times a text is on the screen, and whether any of it is cut. */
async function shown(thread: Locator, text: string): Promise<{ times: number; isCut: boolean }> {
  const found = await thread.getByText(text, { exact: true }).evaluateAll((all) =>
    all
      .filter((one) => one.getClientRects().length > 0 && !one.closest("[aria-hidden=true]"))
      .map((one) => ({
        isCut: one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1,
        isGrey: getComputedStyle(one).color !== getComputedStyle(document.body).color,
      })),
  );
  return { times: found.length, isCut: found.some(({ isCut, isGrey }) => isCut || isGrey) };
}

test("prompts, turns' titles and the header have room at any width, a turn's brief opens by a button, and buttons answer the pointer", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const session = await openSession(page, SESSION);
  const { thread } = session;

  await test.step("the outline shows titles of two lines", async () => {
    const title = outlineOf(page).getByText(MIDDLE).first();
    const lines = await title.evaluate((one) => {
      const box = one.closest(".line-clamp-2") ?? one;
      return box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight);
    });
    expect(Math.round(lines)).toBe(2);
  });

  await test.step("a prompt stands once, whole and in full colour", async () => {
    for (const width of [1440, 1000, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const text of [MIDDLE, LONG])
        await expect.poll(() => shown(thread, text), `${width}`).toEqual({ times: 1, isCut: false });
    }
  });

  await test.step("the header cuts its title before its tokens and errors", async () => {
    const header = page.locator("header").first();
    const isInside = () =>
      header.getByTitle(/tokens, each message once/).evaluate((one) => {
        const box = one.getBoundingClientRect();
        const around = one.parentElement?.getBoundingClientRect();
        return around !== undefined && box.bottom <= around.bottom + 1 && box.right <= around.right + 1;
      });
    for (const width of [1440, 1100, 1000]) {
      await page.setViewportSize({ width, height: 700 });
      await expect(header.getByTitle("1 tool error")).toBeInViewport();
      await expect.poll(isInside, `tokens at ${width}`).toBe(true);
    }
  });

  await test.step("the header that sticks is one line", async () => {
    await page.setViewportSize({ width: 1000, height: 300 });
    await session.scrollTo(0.6);
    const sticky = thread.locator(".sticky h2");
    await expect(sticky).toBeVisible();
    expect((await sticky.boundingBox())?.height).toBeLessThan(26);
  });

  await test.step("a turn's brief opens by a button", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const turn = session.rows.filter({ hasText: "Then these:" });
    await turn.getByRole("button", { name: "Brief" }).click();
    await expect(page.getByRole("region", { name: "Turn 3 in brief" })).toBeVisible();
    await expect(turn.getByRole("button", { name: "Brief" })).toHaveAttribute("aria-expanded", "true");
  });

  await test.step("a button shows that the pointer is on it and that it is pressed, and a disabled one does not", async () => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.keyboard.press("x");
    const primary = page.getByRole("button", { name: "Download HTML" });
    const colour = (of: Locator) => of.evaluate((one) => getComputedStyle(one).backgroundColor);
    await page.mouse.move(0, 0);
    await expect(primary).toBeVisible();
    const rest = await colour(primary);
    await primary.hover();
    await expect.poll(() => colour(primary)).not.toBe(rest);
    const hovered = await colour(primary);
    await page.mouse.down();
    await expect.poll(() => colour(primary)).not.toBe(hovered);
    await page.mouse.move(0, 0);
    await page.mouse.up();
    await page.keyboard.press("Escape");
    await page.keyboard.press(",");
    const reset = page.getByRole("button", { name: "Reset" });
    await expect(reset).toBeDisabled();
    const still = await colour(reset);
    await reset.hover({ force: true });
    expect(await steady(page, () => colour(reset))).toBe(still);
  });
});

test("a large output has its size in the row, shows its head and tail, and all of it by one button", async ({
  page,
}) => {
  const session = await openSession(page, OUTPUT);
  const row = session.rows.filter({ hasText: "seq 12000" });
  await expect(row).toContainText(/12,000 lines · 5\d\d kB/);
  await session.open(row);
  await expect(row.getByText("line 1 of an output")).toBeVisible();
  await expect(row.getByText(`line ${LINES} of an output`)).toBeAttached();
  await expect(row.getByText("11,920 lines left out")).toBeAttached();
  const controls = row.getByRole("button", { name: /^(?:Show|Load)\b(?! the record)/ });
  await expect(controls).toHaveCount(1);
  await controls.click();
  await expect(row.getByText("line 6000 of an output")).toBeAttached();
  await expect(row.getByText("left out")).toHaveCount(0);
  await expect(row.getByText(`line ${LINES} of an output`)).toHaveCount(1);
});

test("a session with agents: its title in the tab, its facts in About, its outline beside a pane, and a pane that cannot load", async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const session = await openSession(page, PARALLEL);

  await test.step("the tab says the session's title, also one that is opened beside another", async () => {
    await expect(page).toHaveTitle(/\S · Backscroll$/);
    const other = await context.newPage();
    await other.goto(page.url());
    await new SessionPage(other).ready();
    // What the server sent as the title of every page arrives after the page has begun, and must not be seen.
    await other.waitForTimeout(500);
    expect(await other.title()).toBe(await page.title());
    await other.close();
  });

  await test.step("About has the session's facts and files; the menu has no file names", async () => {
    await page.getByRole("button", { name: "More", exact: true }).click();
    const menu = page.getByRole("menu");
    await expect(menu.getByRole("menuitem", { name: /^Export/ })).toBeVisible();
    await expect(menu.getByText(".jsonl")).toHaveCount(0);
    await menu.getByRole("menuitem", { name: "About this session" }).click();
    const about = page.getByRole("dialog", { name: "About this session" });
    for (const [fact, value] of [
      ["Folder", "/home/dev/shop"],
      ["Started", "2026"],
      ["Model", "claude-opus-5-5"],
      ["Client", "2.1.330"],
    ] as const)
      await expect(
        about.locator("dt", { hasText: fact }).locator("xpath=following-sibling::dd[1]"),
      ).toContainText(value);
    await expect(about.getByText(/^(?:Ended|Last active)$/)).toBeVisible();
    await expect(about.getByText("Cache read")).toBeVisible();
    await expect(about.getByText("API-equivalent")).toBeVisible();
    await expect(about.getByText("At list prices as of")).toBeVisible();
    await expect(about.getByText("Output", { exact: true })).toBeVisible();
    await expect(about.getByRole("list", { name: "Logs" }).getByText(`${PARALLEL}.jsonl`)).toBeVisible();
    await expect(about.getByRole("list", { name: "Logs" }).getByRole("listitem")).toHaveCount(4);
    expect(await violationsIn(page, '[role="dialog"]')).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(about).toHaveCount(0);
    // Its agents stand in the outline with state and duration.
    await expect(outlineOf(page).getByRole("button", { name: /\d (?:ms|s)$/ })).toHaveCount(3);
  });

  await test.step("the outline stays beside one pane, can be resized, and keeps its width", async () => {
    const outline = outlineOf(page);
    await expect(outline).toBeVisible();
    const edge = page.getByRole("separator", { name: "Width of the outline" });
    await edge.focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
    await expect.poll(async () => Math.round((await outline.boundingBox())?.width ?? 0)).toBe(336);

    await session.rows
      .getByRole("button", { name: /^Open .* beside$/ })
      .first()
      .click();
    await expect(page.getByRole("region", { name: /^Agent / })).toBeVisible();
    await expect(outline).toBeVisible();
    await page.reload();
    await session.ready();
    expect(Math.round((await outline.boundingBox())?.width ?? 0)).toBe(336);
  });

  await test.step("an agent's pane that cannot load another detail says so over its rows, and tries again", async () => {
    const pane = page.getByRole("region", { name: /^Agent / }).first();
    await expect(pane.locator("article[data-record-id]").first()).toBeVisible();
    const rows = (url: URL) => url.pathname.endsWith("/rows") && url.searchParams.has("agent");
    await page.route(rows, (route) =>
      route.fulfill({ status: 500, json: { error: { code: "internal", message: "The disk is on fire" } } }),
    );
    await page.getByRole("group", { name: "Detail" }).getByText("Everything").click();
    await expect(pane.getByText("Couldn’t load rows: The disk is on fire")).toBeVisible();
    await expect(pane.locator("article[data-record-id]").first()).toBeVisible();
    await page.unroute(rows);
    await pane.getByRole("button", { name: "Try again" }).click();
    await expect(pane.getByText("Couldn’t load rows")).toHaveCount(0);
    await expect(pane.locator("article[data-record-id]").first()).toBeVisible();
  });

  await test.step("where there is no room the outline gives way, and a button brings it", async () => {
    const outline = outlineOf(page);
    await page.setViewportSize({ width: 1000, height: 900 });
    await expect(outline).toBeHidden();
    await page.getByRole("button", { name: "Outline", exact: true }).click();
    await expect(outline).toBeVisible();
    await outline.getByRole("button", { name: "Close outline" }).click();
    await expect(outline).toBeHidden();
  });
});

test("an agent opened by its link has a name, and the outline of where it belongs", async ({ page }) => {
  await openSession(page, NESTED);
  await outlineOf(page)
    .getByRole("tab", { name: /^Agents/ })
    .click();
  const panes = outlineOf(page).getByRole("button", { name: /^Open .* beside$/ });
  await panes.last().click();
  await expect(page).toHaveURL(/panes=agent:/);
  const agent = /agent:([^,&]+)/.exec(decodeURIComponent(page.url()))?.[1] ?? "";
  const name =
    (await page.getByRole("region", { name: /^Agent / }).getAttribute("aria-label"))?.slice(6) ?? "";
  expect(name).not.toBe(agent);

  await openSession(page, NESTED, `?agent=${agent}`);
  await expect(
    page.getByRole("status").or(page.getByText(name)).filter({ hasText: name }).first(),
  ).toBeVisible();
  await expect(page.locator("footer")).toContainText(`agent ${name}`);
  const current = outlineOf(page).locator("[aria-current=true]");
  await expect(current).toHaveCount(1);
  await expect(current).toContainText(name);
  // A turn leads back to the main thread.
  await outlineOf(page).getByRole("button", { name: /^1/ }).first().click();
  await expect(page).not.toHaveURL(/agent=/);
});

test("the inspector tells model, usage, duration, permission and hooks", async ({ page }) => {
  const session = await openSession(page, HOOKED);
  await session.rows.filter({ hasText: "Bash" }).first().click();
  await session.press("i");
  const inspector = page.getByRole("region", { name: "Inspector" });
  const fact = (name: string) =>
    inspector.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]");
  await expect(fact("Model")).toHaveText(/claude-/);
  await expect(fact("Usage")).toHaveText(/in [\d,]+ · out [\d,]+/);
  await expect(fact("Duration")).toHaveText(/\d (?:ms|s)/);
  await expect(fact("Permission")).toHaveText(/^allowed, /);
  await expect(fact("Hooks")).toContainText(/PostToolUse:Bash/);
});

test("beside a short title the name of the project is read whole", async ({ page }) => {
  await SessionPage.open(page, server, RENAMED);
  const project = page.getByRole("banner").getByRole("link", { name: "tui-extra" });
  for (const width of [1440, 1100, 700]) {
    await page.setViewportSize({ width, height: 800 });
    const cut = () => project.evaluate((link) => link.scrollWidth - link.clientWidth);
    await expect.poll(cut, `at ${width}`).toBeLessThanOrEqual(0);
  }
});
