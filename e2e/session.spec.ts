import { expect, type Locator } from "@playwright/test";
import { fixtureFolder } from "@/lib/testing/recorded";
import type { FilesResponse } from "@/lib/wire/session";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { type LongSessionServer, serveLongSession } from "./support/serve-long-session";
import { steady } from "./support/steady";
import { test } from "./support/test";

const FIXTURES = fixtureFolder("2.1.330");
const WITH_AGENTS = "6a3a7dca-825e-4181-b3c0-80650e2fa644";

let server: LongSessionServer;

test.beforeAll(async () => {
  server = await serveLongSession([FIXTURES]);
});
test.afterAll(() => server.stop());

const digitsOf = (text: string | null) => text?.replace(/\D/g, "");
const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
const link = (path: string) => `${server.url}${path}#t=${server.token}`;

test("from the library to a row in the middle, and back to it by its link", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const problems = await watchPolicy(page);
  const session = new SessionPage(page);

  await page.goto(link("/"));
  await page.locator(`a[href*="${server.longSession}"]`).first().click();
  await session.ready();
  await expect(page).toHaveURL(new RegExp(server.longSession));
  await expect(session.rows.locator("h2").first()).toBeVisible();

  await session.scrollTo(0.5);
  const row = await session.openableRowOnScreen();
  const recordId = (await row.getAttribute("data-record-id")) ?? "";
  await session.open(row);
  const permalink = await session.copyLink(row);
  expect(permalink).toContain(`at=${recordId}`);
  expect(permalink).not.toContain(server.token);

  const other = await context.newPage();
  const otherProblems = await watchPolicy(other);
  const requests: string[] = [];
  other.on("request", (request) => requests.push(request.url()));
  await other.goto(permalink);
  const landed = new SessionPage(other);
  await landed.ready();
  await expect(landed.row(recordId).first()).toBeInViewport();
  await expect(landed.row(recordId).first()).toHaveAttribute("tabindex", "0");
  const rows = requests.filter((url) => url.includes("/rows?"));
  expect(new URL(rows[0] ?? "").searchParams.get("around")).toBe(recordId);
  expect(rows.length).toBeLessThanOrEqual(3);

  expect([...problems, ...otherProblems]).toEqual([]);
});

test("keys move, open and fold, and the focus stays with the row", async ({ page }) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${server.longSession}`));
  await session.ready();
  await session.press("j");
  await expect.poll(() => session.focusedRow()).not.toBeNull();
  const first = (await session.focusedRow()) ?? 0;
  await session.press("j", "j");
  await expect.poll(() => session.focusedRow()).toBe(first + 2);
  await session.press("k");
  await expect.poll(() => session.focusedRow()).toBe(first + 1);

  await session.press("G");
  await expect.poll(() => session.focusedRow()).toBeGreaterThan(50);
  await session.press("g", "g");
  await expect.poll(() => session.focusedRow()).toBe(0);
  // Before the first jump has landed, the second one starts from its target.
  await session.press("J", "J");
  await expect(page.getByText("turn 3 of")).toBeVisible();
  await session.press("f");
  await expect(page).toHaveURL(/fold=3/);
  await session.press("4");
  await expect(page).toHaveURL(/detail=everything/);
  await session.press("i");
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  await session.press("Escape");
  await expect(page.getByRole("region", { name: "Inspector" })).toBeHidden();
});

test("scrolling a long session renders the list once a frame, keeps few elements in the page, and nothing jumps", async ({
  page,
}) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${server.longSession}?detail=conversation`));
  await session.ready();

  await test.step("a frame of scrolling renders the list once, whatever its rows' heights", async () => {
    const draws = await session.thread.evaluate(async (main) => {
      const feed = main.querySelector('[role="feed"]');
      if (!feed) throw new Error("no rows");
      let drawn = 0;
      // Called once per render, which sets the space above the rows and the space below them.
      const watch = new MutationObserver(() => {
        drawn++;
      });
      watch.observe(feed, { attributeFilter: ["style"] });
      const aFrame: number[] = [];
      for (let step = 0; step < 40; step++) {
        drawn = 0;
        main.scrollBy(0, 60);
        // A measurement in this frame would be rendered before the next frame.
        for (let frames = 0; frames < 2; frames++)
          await new Promise((resolve) => requestAnimationFrame(resolve));
        aFrame.push(drawn);
      }
      return aFrame;
    });
    expect(draws.filter((times) => times === 1).length).toBeGreaterThan(20);
    expect(draws.filter((times) => times > 1)).toEqual([]);
  });

  await test.step("with every row it keeps few elements in the page, and nothing jumps while scrolling up", async () => {
    await session.press("4");
    await expect(page).toHaveURL(/detail=everything/);
    await session.ready();
    for (let share = 0; share <= 1; share += 0.1) await session.scrollTo(share);
    expect(await page.locator("*").count()).toBeLessThan(4_000);

    await session.scrollTo(0.6);
    const moves = await session.thread.evaluate(async (main) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const found: number[] = [];
      for (let step = 0; step < 40; step++) {
        const edge = main.getBoundingClientRect().top + 200;
        const row = [...main.querySelectorAll("article")].find(
          (one) => one.getBoundingClientRect().top > edge,
        );
        const before = row?.getBoundingClientRect().top ?? 0;
        main.scrollBy(0, -40);
        for (let frames = 0; frames < 4; frames++) await frame();
        if (row?.isConnected) found.push(Math.round(row.getBoundingClientRect().top - before - 40));
      }
      return found;
    });
    expect(moves.length).toBeGreaterThan(20);
    expect(moves.filter((by) => Math.abs(by) > 1)).toEqual([]);
  });
});

test("End in the outline of a long session goes to its last turn, and Home to its first", async ({
  page,
}) => {
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${server.longSession}`));
  await session.ready();
  const outline = page.getByRole("complementary", { name: "Outline" });
  const tab = outline.getByRole("tab", { name: /^Turns/ });
  // It has its number when all of the session is known, which is later than the first of its turns.
  await expect(tab).toContainText(/\d/);
  const turns = Number(digitsOf(await tab.textContent()));
  const focused = outline.locator("[data-index] [data-roving]:focus");
  const isIn = (index: number) => expect(outline.locator(`[data-index="${index}"] :focus`)).toHaveCount(1);
  await outline.locator('[data-index="0"] [data-roving]').first().focus();
  await session.press("End");
  await isIn(turns - 1);
  await session.press("ArrowUp");
  await expect(focused).toHaveCount(1);
  await session.press("Home");
  await isIn(0);
});

test("a button among the changes stays where it is pressed while those above it come", async ({ page }) => {
  let go: () => void = () => undefined;
  const isTime = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/calls\//, async (route) => {
    await isTime;
    await route.continue();
  });
  // Less is kept free than they take, as where a patch is of several places.
  await page.route(/\/files\?/, async (route) => {
    const response = await route.fetch();
    const { files, ...rest } = (await response.json()) as FilesResponse;
    const none = (of: readonly number[]) => of.map(() => 0);
    const fewer = files.map((one) => ({
      ...one,
      addedBy: none(one.addedBy),
      removedBy: none(one.removedBy),
    }));
    await route.fulfill({ response, json: { ...rest, files: fewer } });
  });
  await page.goto(link(`/sessions/${server.longSession}?view=changes`));
  const above = page.locator('[data-file="0"]');
  const button = page.locator('[data-file="1"]').getByRole("button", { name: "Versions" });
  await button.scrollIntoViewIfNeeded();
  const topOf = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().top);
  const heightOf = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().height);
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  const reserved = await heightOf(above);
  go();
  await expect.poll(() => heightOf(above)).toBeGreaterThan(reserved);
  await expect.poll(() => topOf(button)).toBe(y);
  await page.mouse.up();
  await expect(page.getByRole("region", { name: "File", exact: true })).toBeVisible();
});

test("Back from a file's versions, from a row and from a cache miss leads to where the reader was", async ({
  page,
}) => {
  await page.goto(link(`/sessions/${server.longSession}?view=changes`));

  await test.step("from a file's versions to the changes, as they were shown", async () => {
    const changes = page.getByRole("region", { name: "Changes" });
    const file = changes.locator('[data-file="12"]');
    await changes.locator('[data-file="11"] button[aria-expanded]').click();
    await file.getByRole("button", { name: "Versions" }).click();
    await expect(page.getByRole("region", { name: "File", exact: true })).toBeVisible();
    await page.goBack();
    await expect(file).toBeInViewport();
    await expect(file.getByRole("button", { name: "Versions" })).toBeFocused();
    await expect(changes.locator('[data-file="11"] button[aria-expanded]')).toHaveAttribute(
      "aria-expanded",
      "false",
    );
    await page.reload();
    await expect(file).toBeInViewport();
  });

  await test.step("to the place in a file, and among the cache misses", async () => {
    const file = page.getByRole("region", { name: "The file" });
    const misses = page.getByRole("region", { name: "Requests and cache misses" });
    const topOf = (box: Locator) => box.evaluate(({ scrollTop }) => scrollTop);
    const changed = page.locator('[data-file="3"]');
    await changed.getByRole("button", { name: "Versions" }).click();
    await file.evaluate((box) => box.scrollTo(0, 300));
    await page.getByRole("button", { name: "Open row" }).click();
    await expect(new SessionPage(page).rows.first()).toBeVisible();
    await page.goBack();
    await expect.poll(() => topOf(file)).toBe(300);
    await page.getByRole("group", { name: "View" }).getByText("Context").click();
    const miss = misses.getByRole("region", { name: "Cache misses" }).getByRole("button").nth(20);
    await expect(misses.getByText("Read again unchanged")).toBeVisible();
    await misses.evaluate((box) => box.scrollTo(0, 400));
    const top = await topOf(misses);
    expect(top).toBeGreaterThan(0);
    // Without being brought into view first.
    await miss.dispatchEvent("click");
    await expect(new SessionPage(page).rows.first()).toBeVisible();
    await page.goBack();
    await expect.poll(() => topOf(misses)).toBe(top);
  });
});

test("a recorded session's agents open in place, with their own rows", async ({ page }) => {
  const problems = await watchPolicy(page);
  const session = new SessionPage(page);
  await page.goto(link(`/sessions/${WITH_AGENTS}`));
  await session.ready();
  const call = session.rows.filter({ hasText: "Explore code" }).first();
  await session.open(call);
  await expect(call.locator("[data-record-id]").nth(2)).toBeVisible();
  expect(problems).toEqual([]);
});

test("the library is filtered and its sessions are opened by keys, however soon after a letter", async ({
  page,
}) => {
  await page.goto(link("/"));
  const rows = page.locator('a[href*="/sessions/"]');
  const filter = page.getByRole("searchbox", { name: /Filter/ });
  await expect(rows.first()).toBeVisible();

  await test.step("a session opens right after the last letter of a filter, and the filter is kept", async () => {
    for (const way of ["Enter", "click"]) {
      await page.keyboard.press("j");
      // In one task, so that the letter has not reached the URL yet.
      await filter.evaluate((field: HTMLInputElement, by) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, by);
        field.dispatchEvent(new Event("input", { bubbles: true }));
        if (by === "click") document.querySelector<HTMLElement>('a[href*="/sessions/"]')?.click();
        else document.body.dispatchEvent(new KeyboardEvent("keydown", { key: by, bubbles: true }));
      }, way);
      await expect(page).toHaveURL(/\/sessions\//);
      await page.goBack();
      await expect(page).toHaveURL(new RegExp(`\\?q=${way}$`));
      await expect(filter).toHaveValue(way);
      await filter.fill("");
      await filter.press("Enter");
      await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
    }
  });

  await test.step("Enter opens the first session if the filter has removed the selected one", async () => {
    const chosen = await rows.first().getAttribute("href");
    await page.keyboard.press("j");
    const other = rows.filter({ hasNotText: (await rows.first().textContent()) ?? "" }).last();
    const href = (await other.getAttribute("href")) ?? "";
    await page.keyboard.press("/");
    await page.keyboard.type(((await other.textContent()) ?? "").slice(0, 24));
    await expect(page.locator(`a[href="${chosen}"]`)).toHaveCount(0);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`${href}$`));
    await page.goBack();
    await filter.fill("");
    await filter.press("Enter");
    await expect(page).not.toHaveURL(/q=/);
  });

  await test.step("an invalid filter is explained below its field", async () => {
    await expect(filter).toHaveAttribute("aria-invalid", "false");
    const said = {
      "agent is:foo": "character 7 is:foo is: needs one of error, denied, running",
      "before:yesterdayish": "character 1 before:yesterdayish before: needs a date or an age",
      'x "never closed': 'character 3 "never closed This quote is never closed',
      // Only the server can parse these.
      "/re[named/": "character 1 /re[named/ Not a regular expression",
    };
    for (const [query, problem] of Object.entries(said)) {
      await filter.fill(query);
      await expect(filter).toHaveAccessibleDescription(new RegExp(`^${escape(problem)}`));
      await expect(page.getByRole("status").filter({ hasText: "searched as plain text" })).toBeVisible();
      await expect(filter).toHaveAttribute("aria-invalid", "true");
    }
    // Without hover, the whole reason is shown.
    await page.setViewportSize({ width: 390, height: 844 });
    await filter.fill('"a rather long quote that nobody ever closed');
    const reason = page.getByText("This quote is never closed");
    await expect(reason).toBeVisible();
    expect(await reason.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
    await filter.fill("is:error");
    await expect(filter).toHaveAccessibleDescription("");
    await expect(page.getByText("searched as plain text")).toHaveCount(0);
  });
});

test("Enter pressed before the filtered list arrives opens its first session once it does", async ({
  page,
}) => {
  await page.goto(link("/"));
  const rows = page.locator('a[href*="/sessions/"]');
  await expect(rows.first()).toBeVisible();
  const href = (await rows.last().getAttribute("href")) ?? "";
  const words = ((await rows.last().textContent()) ?? "").slice(0, 24);
  const held: (() => Promise<void>)[] = [];
  await page.route(/api\/sessions\?.*q=/, (route) => void held.push(() => route.continue()));
  await page.keyboard.press("/");
  await page.keyboard.insertText(words);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  for (const go of held) await go();
  await expect(page).toHaveURL(new RegExp(`${href}$`));
});

test("Home, End and the keys of a page lead as far as they say, whatever rows are measured on the way", async ({
  page,
}) => {
  const session = await SessionPage.open(page, server, server.longSession);
  const { thread } = session;
  const scrolled = () => thread.evaluate((main) => main.scrollTop);
  const left = () => thread.evaluate((main) => main.scrollHeight - main.clientHeight - main.scrollTop);
  // Nothing has the focus yet.
  await page.keyboard.press("PageDown");
  await expect.poll(scrolled).toBeGreaterThan(300);
  await session.press("G");
  await expect.poll(left).toBeLessThan(2);
  /** How far a page back moves what is read, as a share of the view: by the row that was the first to begin on screen. */
  const movedBack = async () => {
    const first = await thread.evaluate((main) => {
      const { top } = main.getBoundingClientRect();
      const rows = [...main.querySelectorAll<HTMLElement>("article[data-record-id]")];
      const row = rows.find((one) => one.getBoundingClientRect().top >= top + 40);
      const { recordId, block } = row?.dataset ?? {};
      return {
        row: `article[data-record-id="${recordId}"][data-block="${block}"]`,
        at: row?.getBoundingClientRect().top ?? 0,
      };
    });
    const before = await scrolled();
    await page.keyboard.press("PageUp");
    await expect.poll(scrolled).not.toBe(before);
    await steady(page, scrolled);
    return thread.evaluate(
      (main, { row, at }) =>
        ((main.querySelector(row)?.getBoundingClientRect().top ?? 0) - at) / main.clientHeight,
      first,
    );
  };
  const page1 = await movedBack();
  expect(page1).toBeGreaterThan(0.6);
  expect(page1).toBeLessThan(0.95);
  for (let pages = 0; pages < 5; pages++) expect(await movedBack()).toBeCloseTo(page1, 2);
  const before = await scrolled();
  await page.keyboard.press("PageDown");
  await expect.poll(scrolled).toBeGreaterThan(before + 300);
  await page.keyboard.press("Home");
  await expect.poll(scrolled).toBe(0);
  expect(await steady(page, scrolled)).toBe(0);
  await page.keyboard.press("End");
  await expect.poll(left).toBeLessThan(2);
  await steady(page, scrolled);
  expect(await left()).toBeLessThan(2);
});
