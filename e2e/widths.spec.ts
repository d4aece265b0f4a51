import { expect, type Locator, type Page } from "@playwright/test";
import { sampleOf } from "@/lib/testing/runs";
import { SessionPage } from "./pages/session-page";
import { SAMPLES } from "./pictures/samples";
import { LONG_SESSION, LongLog } from "./support/long-log";
import { type LongSessionServer, serveLongSession } from "./support/serve-long-session";
import { test } from "./support/test";
import { watchRequests } from "./support/watch-requests";

// This file is begun last: shared by the workers it ends when they have nothing else to do.
test.describe.configure({ mode: "parallel" });

let server: LongSessionServer;

/** A session that stopped at a fork of seven ways. */
let forked: LongLog;

test.beforeAll(async () => {
  forked = new LongLog();
  forked.prompt("Try it in several ways");
  const answer = forked.say("Which one?");
  for (let way = 1; way <= 7; way++) {
    forked.goBackTo(answer);
    forked.prompt(`Way ${way}: with a long description of what is to be tried`);
    // What nothing came of is a prompt that was taken back, but for the last one.
    if (way < 7) forked.say(`Tried way ${way}.`);
  }
  forked.save();
  server = await serveLongSession([forked.dir, SAMPLES]);
});
test.afterAll(async () => {
  await server.stop();
  forked.remove();
});

/** "Charged twice", the longest of the sample sessions. */
const SAMPLE = "74c3ddfa-b2e4-4739-b11f-ae4eab43e618";

/** Controls of a bar that lie beyond its edge, out of reach. */
function cutOff(bar: Locator): Promise<string[]> {
  return bar.evaluate((element) => {
    const edge = element.getBoundingClientRect();
    return [...element.querySelectorAll<HTMLElement>("button, input, summary")]
      .filter((control) => control.getClientRects().length > 0)
      .filter((control) => control.getBoundingClientRect().right > edge.right)
      .map((control) => control.ariaLabel ?? control.textContent ?? "");
  });
}

/** Parts of a bar that stand over what is beside them; what scrolls in itself does not. */
function overlapping(bar: Locator): Promise<string[]> {
  return bar.evaluate((element) =>
    [...element.querySelectorAll<HTMLElement>(":scope > :not(fieldset)")]
      .filter((part) => {
        const inside = [...part.querySelectorAll(":not(.sr-only)")].map((one) => one.getBoundingClientRect());
        const right = Math.max(...inside.filter(({ width }) => width > 1).map((box) => box.right));
        return right > part.getBoundingClientRect().right + 1;
      })
      .map((part) => part.innerText),
  );
}

async function openSession(page: Page, width: number, query = ""): Promise<Locator> {
  await page.setViewportSize({ width, height: 700 });
  await SessionPage.open(page, server, `${server.longSession}${query}`);
  const bar = page.getByRole("region", { name: "View" });
  await expect(bar.getByRole("button", { name: "More", exact: true })).toBeAttached();
  return bar;
}

test("the tool bar has room for its controls at every width", async ({ page }) => {
  const bar = await openSession(page, 1440);
  const widths = [1440, 1280, 1152, 1024, 900, 768, 640, 390];
  const fits = async (width: number) => {
    await page.setViewportSize({ width, height: 700 });
    await expect.poll(() => cutOff(bar), `at ${width}`).toEqual([]);
  };
  for (const width of widths) {
    await fits(width);
    if (width >= 640) await expect(bar.getByTitle("Next error ( ] )")).toBeVisible();
  }
  await page.keyboard.press("/");
  await page.keyboard.insertText("function");
  for (const width of widths.toReversed()) {
    await fits(width);
    await expect(bar.getByRole("button", { name: "Next match" })).toBeVisible();
  }
  // Errors that a view does not show are in reach on a phone, too.
  await SessionPage.open(page, server, SAMPLE);
  await fits(1024);
  // Of the bar above, too: what a session is called is longer than the name of its model.
  const title = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect(title?.width).toBeGreaterThan(130);
  // Behind the count of errors the others have no mark of their own; where that has no room, they do.
  const others = bar.getByTitle("Errors not shown in this view");
  await expect(others.locator("svg")).toBeHidden();
  await fits(390);
  await expect(others.locator("svg")).toBeVisible();
  // Nor does the field of find reach over what is beside it, with large text either.
  await page.evaluate(() => document.documentElement.setAttribute("data-text", "16"));
  for (const width of [1440, 1280, 1152, 1024, 390]) {
    await fits(width);
    await expect.poll(() => overlapping(bar), `text 16 at ${width}`).toEqual([]);
  }
  await others.click();
  await page.getByRole("menuitem").first().click();
  await expect(page).toHaveURL(/at=/);
});

test("the waterfall has room for its controls at every width, and the bars for theirs beside the inspector, with the text spacing of WCAG too", async ({
  page,
}) => {
  const bar = await openSession(page, 1440);
  const waterfall = page.getByRole("region", { name: "Waterfall" });
  await page.keyboard.press("w");
  await expect(waterfall.getByRole("listbox", { name: "Steps by time" })).toBeFocused();
  for (const width of [1440, 1024, 768, 640, 390]) {
    await page.setViewportSize({ width, height: 700 });
    await expect.poll(() => cutOff(waterfall), `the waterfall at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.keyboard.press("w");
  await expect(waterfall).toHaveCount(0);
  await page.keyboard.press("j");
  await page.keyboard.press("i");
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  expect(await cutOff(bar)).toEqual([]);
  await bar.getByRole("button", { name: "Find in this session" }).click();
  await expect(bar.getByRole("searchbox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(bar.getByRole("searchbox")).toHaveCount(0);

  await page.setViewportSize({ width: 1280, height: 700 });
  await page.evaluate(() => {
    const style = new CSSStyleSheet();
    style.replaceSync(
      "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
    );
    document.adoptedStyleSheets.push(style);
  });
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  expect.soft(await cutOff(bar)).toEqual([]);
  await page.keyboard.press("w");
  await expect(page.getByRole("listbox", { name: "Steps by time" })).toBeFocused();
  expect(await cutOff(page.getByRole("contentinfo"))).toEqual([]);
});

/** How much wider the page is than its window. */
const wider = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** What cannot be reached on a page without scrolling all of it sideways: beyond its edge, and in nothing that scrolls. */
function lostSideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (box: Element | null): boolean =>
      box !== null && (/auto|scroll/.test(getComputedStyle(box).overflowX) || scrolls(box.parentElement));
    const lost = [...document.querySelectorAll("button, a, input, select, h1, h2")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter(
        (one) => !one.closest("[inert], .sr-only") && one.getBoundingClientRect().right > innerWidth + 1,
      )
      .filter((one) => !scrolls(one.parentElement))
      .map((one) => one.ariaLabel ?? one.textContent ?? "");
    return [...lost, ...(document.documentElement.scrollWidth > innerWidth ? ["the page is wider"] : [])];
  });
}

/** Share and settings, of which each has its place in the menu of a page's bar and on a wide page beside it too. */
async function expectShareAndSettings(page: Page, path: string, at: number): Promise<void> {
  const bar = page.getByRole("banner");
  const more = bar.getByRole("button", { name: "More", exact: true });
  for (const [nth, width] of [390, 1440].entries()) {
    await page.setViewportSize({ width, height: 700 });
    // In `npm test` one at each width, of the next page the other.
    for (const name of sampleOf(["Share this view", "Settings"], 2, at + nth)) {
      await more.click();
      await page.getByRole("menuitem", { name }).click();
      const dialog = page.getByRole("dialog", { name });
      await dialog.getByRole("button", { name: "Close" }).click();
      await expect(dialog).toHaveCount(0);
    }
    expect(await cutOff(bar), `${path} at ${width}`).toEqual([]);
    const box = await more.boundingBox();
    if (width < 640) expect(Math.min(box?.width ?? 0, box?.height ?? 0), path).toBeGreaterThanOrEqual(32);
    else await expect(bar.getByRole("button", { name: "Share", exact: true }), path).toBeVisible();
    expect(box && width - box.x - box.width, `${path} at ${width}`).toBeLessThanOrEqual(12);
  }
  await page.getByRole("contentinfo").getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings, path).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(settings).toHaveCount(0);
}

test("on every page nothing is lost on a screen of 320, as one of 1280 is at 400 %, and share and settings have their place in its bar", async ({
  page,
}) => {
  const allRead = watchRequests(page);
  const expectNothingLost = async (what: string) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await allRead();
    expect.soft(await lostSideways(page), what).toEqual([]);
  };
  for (const [at, path] of ["/search?q=function", "/now", "/doctor", "/"].entries())
    await test.step(path, async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${server.url}${path}#t=${server.token}`);
      await expect(page.getByRole("banner").getByRole("button").last()).toBeVisible();
      if (path.startsWith("/search")) {
        await expect(page.getByRole("group", { name: "Found in" })).toBeVisible();
        for (const width of [700, 390]) {
          await page.setViewportSize({ width, height: 700 });
          await expect.poll(() => wider(page), `at ${width}`).toBe(0);
          expect(await cutOff(page.getByRole("search").or(page.locator("header")).first())).toEqual([]);
        }
      }
      await expectShareAndSettings(page, path, at);
      await expectNothingLost(path);
    });
  for (const path of ["/prompts", "/files?path=a", "/usage"]) {
    await page.goto(`${server.url}${path}`);
    await expect(page.getByRole("banner").getByRole("button").last()).toBeVisible();
    await expectNothingLost(path);
  }
  for (const [name, view] of [
    ["Cache misses", "misses"],
    ["Prompts", "prompts"],
  ] as const) {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`view=${view}`));
    await expectNothingLost(`usage, ${view}`);
  }

  await page.goto(`${server.url}/sessions/${server.longSession}?view=compare`);
  await expect(page.getByRole("button", { name: "More", exact: true })).toBeVisible();
  await expectNothingLost("compare");
  await page.keyboard.press("Escape");
  await new SessionPage(page).ready();
  await expectNothingLost("the session");
  for (const [key, view] of [
    ["g", "graph"],
    ["w", "waterfall"],
    ["D", "changes"],
    ["C", "context"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`view=${view}`));
    await expectNothingLost(view);
  }
  await page.keyboard.press("Escape");
  await new SessionPage(page).ready();
  for (const key of ["s", "x", ",", "?"]) {
    await page.keyboard.press(key);
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await allRead();
    const wider = () =>
      [...document.querySelectorAll("[role=dialog] .overflow-auto")].filter(
        (box) => box.scrollWidth > box.clientWidth,
      ).length;
    expect.soft(await page.evaluate(wider), `the dialog of ${key}`).toBe(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
});

test("what is missing or failed is read whole on a screen of 320 by 256", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  const token = `#t=${server.token}`;
  for (const [path, texts] of [
    [
      `/sessions/00000000-0000-4000-8000-000000000000${token}`,
      ["Session not found", "session-not-found · 404"],
    ],
    [`/?q=nowhere${token}`, ["No sessions match this filter", "Clear filter"]],
    ["/now", ["Open Backscroll with its link", "Or run this in another terminal"]],
  ] as const) {
    await page.goto("about:blank");
    await page.goto(server.url + path);
    for (const words of texts) {
      const text = page.getByText(words).first();
      await text.scrollIntoViewIfNeeded();
      await expect.soft(text, words).toBeInViewport({ ratio: 1 });
      await text.click({ trial: true, timeout: 5_000 }).catch(() => expect.soft(words).toBe("covered"));
    }
    if (path.startsWith("/sessions/")) {
      await expect(page.getByRole("alert").filter({ hasText: "Session not found" })).toBeVisible();
      await expect(page.getByRole("link", { name: "Library" }).last()).toBeVisible();
    }
    await page.evaluate(() => localStorage.clear());
  }
});

test("a link to something a session does not contain offers the session", async ({ page }) => {
  for (const query of ["?agent=nobody", "?runs=open", "?fold=all"]) {
    await page.goto(`${server.url}/sessions/${LONG_SESSION}${query}#t=${server.token}`);
    const alert = page.getByRole("alert").filter({ hasText: "Link target not found" });
    await alert.getByRole("link", { name: "Open the session" }).click();
    await new SessionPage(page).ready();
    expect(new URL(page.url()).search).toBe("");
  }
});

test("a session that stopped at a fork of many ways keeps its bars' controls, its state and each way's words", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 700 });
  await SessionPage.open(page, server, LONG_SESSION);
  const bar = page.getByRole("banner");
  await expect(bar.getByText(/Stopped|Thinking/)).toBeAttached();
  const state = page.getByRole("contentinfo").getByText(/^main thread/);
  const ways = page.getByRole("button", { name: /^Way \d:/ });
  await expect(ways).toHaveCount(7);
  const isWhole = (element: Element) => {
    const edge = element.parentElement?.getBoundingClientRect().right ?? 0;
    return element.scrollWidth <= element.clientWidth && element.getBoundingClientRect().right <= edge + 1;
  };
  for (const width of [1440, 1200, 1024, 961, 900, 768, 700, 641, 390]) {
    await page.setViewportSize({ width, height: 700 });
    await expect.poll(() => cutOff(bar), `the bar at ${width}`).toEqual([]);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), "the page").toBe(width);
    if (width > 640) expect.soft(await state.evaluate(isWhole), `the foot at ${width}`).toBe(true);
    const cut = await ways.evaluateAll((found) =>
      found.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
    expect.soft(cut, `ways at ${width}`).toEqual([]);
  }
});

/** The size of text that the reader has set, before the page is loaded. */
async function setTextPx(page: Page, textPx: number): Promise<void> {
  await page.addInitScript((px) => {
    localStorage.setItem("backscroll.preferences", JSON.stringify({ textPx: px }));
  }, textPx);
}

test("a session's rows say what they are about, at every width", async ({ page }) => {
  await setTextPx(page, 16);
  const session = await SessionPage.open(page, server, SAMPLE);

  await test.step("a wrapped prompt begins with whole words beside its turn's figures, at any text size", async () => {
    const prompt = page.getByRole("main").getByRole("heading").first();
    const firstLine = () =>
      prompt.evaluate((heading) => {
        const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
        const text = walker.nextNode();
        const range = document.createRange();
        let top: number | null = null;
        for (let at = 0; text && at < (text.textContent ?? "").length; at++) {
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          const box = range.getBoundingClientRect();
          top ??= box.top;
          if (box.top > top + 4) return (text.textContent ?? "").slice(0, at);
        }
        return text?.textContent ?? "";
      });
    for (const text of ["16", "13"]) {
      await page.evaluate((px) => document.documentElement.setAttribute("data-text", px), text);
      for (const width of [390, 560, 700, 800, 900, 1000, 1100, 1200, 1280, 1440]) {
        await page.setViewportSize({ width, height: 700 });
        await expect.poll(firstLine, `text ${text} at ${width}`).toMatch(/^Order 1042\b.*\s$/);
      }
    }
  });

  await test.step("the names of the client's own tools are read whole where the thread is narrow", async () => {
    const name = session.thread.getByText("ToolSearch", { exact: true }).first();
    for (const width of [700, 768, 900, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(name).toBeVisible();
      const cut = () => name.evaluate((one) => one.scrollWidth - one.clientWidth);
      await expect.poll(cut, `at ${width}`).toBeLessThanOrEqual(0);
    }
  });

  await test.step("in a turn's header of one line the prompt has room beside the turn's figures", async () => {
    const header = page.locator("main [aria-hidden] h2");
    await page.getByRole("main").evaluate((main) => main.scrollTo(0, 900));
    for (const width of [390, 560, 700, 800, 900, 1000, 1100, 1280, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      const room = () => header.evaluate((title) => title.getBoundingClientRect().width);
      await expect.poll(room, `at ${width}`).toBeGreaterThan(200);
    }
    await expect(page.locator("main [aria-hidden] time").first()).toBeVisible();
  });

  await test.step("beside a long outcome a compared row says what it is about, and its mark stands clear of the rail", async () => {
    await page.keyboard.press("=");
    const failed = page.getByRole("button", { name: /Edit src\/checkout\.js String to replace not found/ });
    await expect(failed).toBeVisible();
    // The cross's outline is of the ground that it stands on.
    const outline = failed.locator("svg path").first();
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await outline.evaluate((one) => getComputedStyle(one).stroke)).toBe(ground);
    for (const width of [640, 768, 900, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      const subject = failed.getByText("src/checkout.js");
      await expect
        .poll(() => subject.evaluate((one) => one.getBoundingClientRect().width), `at ${width}`)
        .toBeGreaterThanOrEqual(90);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});

test("the library has room for its filters, titles, head and branches, at every width and text size", async ({
  page,
}) => {
  await setTextPx(page, 16);
  await page.goto(`${server.url}/#t=${server.token}`);
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
  // Until then a phone's bar ends with how far the logs are read.
  await expect(page.getByRole("progressbar", { name: "Indexing" })).toHaveCount(0);
  const table = page.getByRole("table", { name: "Sessions" });

  await test.step("the filters stay in reach with large text", async () => {
    for (const width of [1440, 1280, 1100, 1024, 900, 768, 390]) {
      await page.setViewportSize({ width, height: 700 });
      await expect(page.getByRole("button", { name: "Order: Last active" })).toBeVisible();
      await expect.poll(() => cutOff(page.getByRole("search")), `at ${width}`).toEqual([]);
      // At the right, in whichever line.
      const [bar, last] = [page.getByRole("search"), page.getByRole("search").getByRole("button").last()];
      const [whole, own] = [await bar.boundingBox(), await last.boundingBox()];
      expect(Math.round((whole?.x ?? 0) + (whole?.width ?? 0) - (own?.x ?? 0) - (own?.width ?? 0))).toBe(12);
      // Beside the order, not alone in a line.
      const order = await bar.getByRole("button", { name: "Order: Last active" }).boundingBox();
      expect(Math.abs((own?.y ?? 0) - (order?.y ?? 0)), `at ${width}`).toBeLessThan(5);
    }
  });

  await test.step("titles have room beside their numbers", async () => {
    const row = page
      .getByRole("table", { name: "Sessions" })
      .getByRole("row")
      .filter({ has: page.locator(`a[href*="${server.longSession}"]`) });
    /** The width of the title's cell, and the cells whose text is wider than they are. */
    const measured = () =>
      row.first().evaluate((element) => {
        const cells = [...element.querySelectorAll<HTMLElement>('[role="cell"]')];
        const wider = cells.filter((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          return cell.style.overflow === "" && text.getBoundingClientRect().width > cell.clientWidth + 1;
        });
        return {
          title: cells.find((cell) => cell.querySelector("a"))?.clientWidth ?? 0,
          wider: wider.map(({ textContent }) => textContent).filter((text) => /^[$\d·.]/.test(text)),
          when: (cells.at(-1)?.scrollWidth ?? 0) - (cells.at(-1)?.clientWidth ?? 0),
        };
      });
    for (const [text, least] of [
      ["13", 200],
      ["14", 175],
      ["16", 210],
    ] as const) {
      await page.evaluate((px) => document.documentElement.setAttribute("data-text", px), text);
      for (const width of [1600, 1440, 1400, 1399, 1280, 1200, 1152, 1100, 1024, 960, 900, 768]) {
        await page.setViewportSize({ width, height: 700 });
        await expect
          .poll(async () => (await measured()).title, `text ${text} at ${width}`)
          .toBeGreaterThanOrEqual(least);
        expect(await measured(), `text ${text} at ${width}`).toMatchObject({ wider: [], when: 0 });
      }
    }
  });

  await test.step("the head stands in one line above its columns", async () => {
    /** The left edges of the cells of a line that are shown, by the line they stand in. */
    const lines = () =>
      table.evaluate((element, id) => {
        const rows = [...element.querySelectorAll('[role="row"]')];
        const head = rows.find((row) => row.querySelector('[role="columnheader"]'));
        const session = rows.find((row) => row.querySelector(`a[href*="${id}"]`));
        const middles = [...(head?.querySelectorAll('[role="columnheader"]') ?? [])]
          .map((cell) => cell.getBoundingClientRect())
          .filter(({ width }) => width > 0)
          .map(({ top, bottom }) => Math.round((top + bottom) / 2));
        const shown = [...(session?.querySelectorAll('[role="cell"], [role="rowheader"]') ?? [])].filter(
          (cell) => cell.getBoundingClientRect().width > 0,
        );
        return { lines: new Set(middles).size, head: middles.length, row: shown.length };
      }, server.longSession);
    for (const text of ["13", "16"]) {
      await page.evaluate((px) => document.documentElement.setAttribute("data-text", px), text);
      for (const width of [1600, 1440, 1280, 1152, 1099, 1024, 960, 900, 768]) {
        await page.setViewportSize({ width, height: 700 });
        await expect.poll(lines, `text ${text} at ${width}`).toMatchObject({ lines: 1 });
        const { head, row } = await lines();
        expect(head, `text ${text} at ${width}`).toBe(row);
      }
    }
  });

  await page.evaluate(() => document.documentElement.setAttribute("data-text", "13"));

  await test.step("from a large phone to a laptop the filters stand in one line", async () => {
    const filters = page.getByRole("search", { name: "Filter sessions" });
    const [order, words] = [filters.getByRole("button", { name: /^Order/ }), filters.getByRole("searchbox")];
    const topOfBox = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().top);
    for (const width of [641, 690, 720, 760, 768, 959, 960, 1000, 1040, 1041, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(order).toBeVisible();
      const apart = async () => Math.abs((await topOfBox(order)) - (await topOfBox(words)));
      await expect.poll(apart, `at ${width}`).toBeLessThan(8);
    }
  });

  await test.step("branches with short names leave the room to titles", async () => {
    await page.setViewportSize({ width: 1440, height: 700 });
    const rows = page.getByRole("row");
    await expect(rows.filter({ hasText: "main" }).first()).toBeVisible();
    const longest = Math.max(
      ...(await rows.locator('[role="cell"].font-mono').allTextContents()).map(({ length }) => length),
    );
    expect(longest).toBeLessThan(16);
    const columnHead = await page.getByRole("columnheader", { name: "Branch" }).boundingBox();
    expect(columnHead?.width).toBeLessThan(8 * Math.max(longest + 1, 9));
  });

  await test.step("it is no wider than a narrow screen", async () => {
    await page.setViewportSize({ width: 700, height: 700 });
    await expect.poll(() => wider(page)).toBe(0);
    expect(await cutOff(page.getByRole("search").or(page.locator("header")).first())).toEqual([]);
  });

  await test.step("what explains the settings and the query language is not cut", async () => {
    const cut = () =>
      [...document.querySelectorAll<HTMLElement>("main li button span, [role=dialog] span")]
        .filter(
          (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "hidden",
        )
        .map(({ textContent }) => textContent);
    await page.setViewportSize({ width: 700, height: 900 });
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
    expect(await page.evaluate(cut)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.url}/search`);
    await page.evaluate(() => document.documentElement.setAttribute("data-text", "13"));
    await expect(page.getByRole("heading", { name: "Search every session" })).toBeVisible();
    expect(await page.evaluate(cut)).toEqual([]);
  });

  await test.step("the views of usage and what it is told by are in reach on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto(`${server.url}/usage?by=session`);
    await expect(page.getByRole("button", { name: "Cache misses" })).toBeInViewport({ ratio: 1 });
    const by = page.getByRole("group", { name: "By" });
    // A box is scrolled by whole pixels, its parts may be wider by a part of one.
    await expect(by.getByRole("button", { name: "Session" })).toBeInViewport({ ratio: 0.98 });
  });
});

test("the bars stay where they are when scripts run, their buttons when the session's facts arrive", async ({
  page,
}) => {
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/sessions\/[^/?]+(\?.*)?$/, async (route) => {
    await held;
    await route.continue();
  });
  let runScripts = () => undefined as void;
  const scripts = new Promise<void>((resolve) => {
    runScripts = resolve;
  });
  await page.route(/\/_next\/.*\.js/, async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto(`${server.url}/#t=${server.token}`, { waitUntil: "commit" });
  const bars = page.locator("body > div > [aria-hidden]");
  await expect(bars).toHaveCount(2);
  const [top, foot] = await Promise.all([bars.first().boundingBox(), bars.last().boundingBox()]);
  runScripts();
  await expect(page.getByRole("banner")).toBeVisible();
  expect(await page.getByRole("banner").boundingBox(), "the top bar before the scripts").toEqual(top);
  expect(await page.getByRole("contentinfo").boundingBox(), "the foot before the scripts").toEqual(foot);
  await page
    .getByRole("link", { name: /Charged twice/ })
    .first()
    .click();
  const places = () =>
    Promise.all(
      [
        page.getByRole("group", { name: "View" }).getByText("Graph"),
        page.getByRole("button", { name: "Inspector" }),
      ].map(async (one) => Math.round((await one.boundingBox())?.x ?? -1)),
    );
  await expect(page.locator("article[data-record-id]").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "How to resume" })).toBeHidden();
  const before = await places();
  release();
  await expect(page.getByRole("button", { name: "How to resume" })).toBeVisible();
  await expect(page.getByRole("button", { name: "More", exact: true })).toBeVisible();
  expect(await places()).toEqual(before);
});

test("nothing of a comparison moves while its turns arrive", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const width of [1440, 1024, 768]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("about:blank");
    await page.goto(`${server.url}/sessions/${SAMPLE}?view=compare#t=${server.token}`);
    await expect(page.getByText("Commit it, and say why in the message.").first()).toBeAttached();
    await expect(page.getByText("Reading the log…")).toHaveCount(0);
    const moved = () =>
      page.evaluate(() => {
        const { shifts } = window as unknown as { shifts: number[] };
        return shifts.reduce((sum, one) => sum + one, 0);
      });
    expect(await moved(), `at ${width}`).toBeLessThan(0.05);
  }
});
