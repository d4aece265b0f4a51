import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { CallLog } from "./support/call-log";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";
import { watchRequests } from "./support/watch-requests";

const SHORT = "10000000-0000-4000-8000-000000000003";
const LONG = "10000000-0000-4000-8000-000000000004";
const EDITED = "10000000-0000-4000-8000-000000000005";
const SHORT_ROWS = 302;
const LONG_ROWS = 2_501;

let folder: string;
let server: TestServer;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-print-"));
  const project = join(folder, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  const short = new CallLog(join(project, `${SHORT}.jsonl`));
  short.prompt("Say a lot");
  for (let n = 1; n < SHORT_ROWS - 1; n++) short.say(`Answer ${n} of many.`);
  short.read("last.ts");
  const long = new CallLog(join(project, `${LONG}.jsonl`));
  long.prompt("Say even more");
  for (let n = 1; n < LONG_ROWS; n++) long.say(`Answer ${n} of thousands.`);
  const edited = new CallLog(join(project, `${EDITED}.jsonl`));
  edited.prompt("Try more often");
  edited.edit("retry.ts", ["// retry", "const tries = 3;", "export { tries };"], 2, "const tries = 5;");
  edited.edit("pay.ts", ["// fees", "const fee = 1;", "pay(fee);"], 2, "const fee = 2;");
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a session in a page that records what would be printed instead of opening the print dialog. */
async function openSession(page: Page, id: string): Promise<SessionPage> {
  await page.addInitScript(() => {
    window.print = () => {
      const sheet = document.querySelector("[data-print-sheet]");
      const rows = [...(sheet?.querySelectorAll("article") ?? [])].map((row) => row.textContent);
      const pictures = [...(sheet?.querySelectorAll("canvas") ?? [])].map((canvas) => {
        const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
        const dots = new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer(0)));
        // Of the lower left corner, where nothing is drawn.
        return { colours: dots.size, ground: [...(data?.slice(-4 * canvas.width).slice(0, 4) ?? [])] };
      });
      Object.assign(window, { paper: { text: sheet?.textContent, rows, pictures } });
    };
  });
  return SessionPage.open(page, server, id);
}

type Paper = { text: string; rows: string[]; pictures: { colours: number; ground: number[] }[] };
const paperOf = (page: Page) => page.evaluate(() => (window as unknown as { paper?: Paper }).paper ?? null);

test("every row is printed, open rows with their content", async ({ page }) => {
  const session = await openSession(page, SHORT);
  await session.press("G");
  const last = session.rows.filter({ hasText: "last.ts" });
  await session.open(last);
  await page.keyboard.press("Control+p");
  await expect.poll(() => paperOf(page)).not.toBeNull();
  const paper = await paperOf(page);
  expect(paper?.rows).toHaveLength(SHORT_ROWS);
  expect(paper?.rows[1]).toContain("Answer 1 of many.");
  expect(paper?.rows.at(-1)).toContain("const a = 1;");
  expect(paper?.text).not.toContain("this is all that is printed");
  // The page is unchanged afterwards.
  await expect(page.locator("[data-print-sheet]")).toHaveCount(0);
  await expect(last).toBeVisible();
});

test("a thread too long for paper is printed in part, with a note", async ({ page }) => {
  await openSession(page, LONG);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Print…" }).click();
  await expect.poll(() => paperOf(page)).not.toBeNull();
  const paper = await paperOf(page);
  expect(paper?.rows).toHaveLength(2_000);
  expect(paper?.text).toContain("Rows 1 to 2,000 of 2,501");
});

test("the browser's own print gives the same sheet, without controls and without the page", async ({
  page,
}) => {
  const session = await openSession(page, SHORT);
  await session.press("G");
  const last = session.rows.filter({ hasText: "last.ts" });
  await session.open(last);
  await page.evaluate(() => {
    window.addEventListener("beforeprint", () =>
      setTimeout(() => {
        const sheet = document.querySelector("[data-print-sheet]");
        const seen = [...document.body.children].filter((one) => one.getClientRects().length > 0);
        Object.assign(window, {
          paper: {
            text: sheet?.textContent,
            rows: [...(sheet?.querySelectorAll("article") ?? [])].map((row) => row.textContent),
            seen: seen.map((one) => one.hasAttribute("data-print-sheet")),
          },
        });
      }),
    );
  });
  await page.emulateMedia({ media: "print" });
  // What the browser does on its own command, and while a PDF is made of the page.
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect.poll(() => paperOf(page)).not.toBeNull();
  const paper = (await paperOf(page)) as Paper & { seen: boolean[] };
  expect(paper.rows).toHaveLength(SHORT_ROWS);
  expect(paper.rows.at(-1)).toContain("const a = 1;");
  expect(paper.seen).toEqual([true]);
  const sheet = page.locator("[data-print-sheet]");
  for (const control of ["Copy link to this row", "Wrap lines", "Show the record", "Brief"])
    await expect(sheet.getByRole("button", { name: control })).toHaveCount(0);
  // Rows stand below one another.
  const overlaps = await sheet.evaluate((element) => {
    const boxes = [...element.querySelectorAll("article")].map((row) => row.getBoundingClientRect());
    return boxes.filter((box, at) => at > 0 && box.top < (boxes[at - 1]?.bottom ?? 0) - 1).length;
  });
  expect(overlaps).toBe(0);
  // The title does not stand on a page of its own, and pages are full.
  const texts = textsByPage(await page.pdf({ format: "A4" }));
  expect(Math.min(...texts.slice(0, -1)), String(texts)).toBeGreaterThan(Math.max(...texts) / 2);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect(sheet).toHaveCount(0);
});

test("a diff is printed without the words of its buttons", async ({ page }) => {
  const session = await openSession(page, EDITED);
  const edit = session.rows.filter({ hasText: "retry.ts" }).first();
  await session.open(edit);
  await expect(edit.getByText("const tries = 5;").first()).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const sheet = page.locator("[data-print-sheet]");
  await expect(sheet.getByText("const tries = 5;").first()).toBeVisible();
  for (const word of ["Unified", "Split", "Whitespace"]) await expect(sheet.getByText(word)).toBeHidden();
  // What is open may go on on the next page: kept whole, it leaves most of one empty.
  const breakOf = (row: Element) => getComputedStyle(row).breakInside;
  const opened = sheet.locator("article").filter({ hasText: "const tries = 5;" }).first();
  expect(await opened.evaluate(breakOf)).toBe("auto");
  // Its line has room for the beginning of what is open on the same page, and that follows it at once.
  const line = opened.locator(".grid > :nth-child(2)").first();
  expect(await line.evaluate(breakOf)).toBe("avoid");
  const gap = (row: Element) => {
    const [, words, held] = row.firstElementChild?.children ?? [];
    const roomPx = Number.parseFloat(words ? getComputedStyle(words).paddingBottom : "");
    const below = (held?.getBoundingClientRect().top ?? 0) - (words?.getBoundingClientRect().bottom ?? 0);
    return { roomPx, below: Math.round(below + roomPx) };
  };
  expect(await opened.evaluate(gap)).toEqual({ roomPx: 64, below: 0 });
  expect(await sheet.locator("article").first().evaluate(breakOf)).toBe("avoid-page");
});

/** How many pieces of text each page of a PDF draws, as Chromium writes one. */
function textsByPage(pdf: Buffer): number[] {
  const objects = new Map(
    [...pdf.toString("latin1").matchAll(/\n(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, id, body]) => [id, body]),
  );
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body ?? ""));
  return pages.map((body) => {
    const contents = objects.get(/\/Contents (\d+) 0 R/.exec(body ?? "")?.[1]);
    const stream = /stream\n(.*)\nendstream/s.exec(contents ?? "")?.[1] ?? "";
    return (
      inflateSync(Buffer.from(stream, "latin1"))
        .toString("latin1")
        .split(/ T[jJ]\n/).length - 1
    );
  });
}

/** What is on the sheet by the page's own command, and then by the browser's. */
async function printBoth(page: Page): Promise<[Paper, Paper]> {
  await page.evaluate(() => Object.assign(window, { paper: undefined }));
  await page.keyboard.press("Control+p");
  await expect.poll(() => paperOf(page)).not.toBeNull();
  const own = (await paperOf(page)) as Paper;
  await expect(page.locator("[data-print-sheet]")).toHaveCount(0);
  const browsers = await page.evaluate(() => {
    window.dispatchEvent(new Event("beforeprint"));
    window.print();
    window.dispatchEvent(new Event("afterprint"));
    return (window as unknown as { paper: Paper }).paper;
  });
  await expect(page.locator("[data-print-sheet]")).toHaveCount(0);
  return [own, browsers];
}

test("each view of a session is printed as a sheet of its own, by either command", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  const allRead = watchRequests(page);
  const session = await openSession(page, EDITED);
  const backToThread = async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: "screen" });
    await expect(page.locator("[data-print-sheet]")).toHaveCount(0);
    await session.press("Escape");
    await expect(page).not.toHaveURL(/view=/);
  };

  await test.step("on Graph its picture, whole, on white", async () => {
    await session.press("g");
    await expect(page.locator("[data-graph]")).toBeVisible();
    // What its steps say comes after them.
    await allRead();
    const [own, browsers] = await printBoth(page);
    expect(own.text).toContain("Graph of the session");
    expect(own.rows).toEqual([]);
    expect(own.pictures).toHaveLength(1);
    expect(own.pictures[0]?.ground).toEqual([255, 255, 255, 255]);
    expect(own.pictures[0]?.colours).toBeGreaterThan(5);
    expect(browsers).toEqual(own);
    await backToThread();
  });

  await test.step("on Changes a clean sheet of the diffs, as they are shown", async () => {
    await session.press("D");
    const changes = page.getByRole("region", { name: "Changes" });
    await changes.getByRole("button", { name: /pay\.ts/, expanded: true }).click();
    const [own, browsers] = await printBoth(page);
    expect(own.text).toContain("Changes of the session");
    expect(own.text).toMatch(/pay\.ts.*retry\.ts.*const tries = 5;/s);
    // Its file is folded.
    expect(own.text).not.toContain("const fee = 2;");
    expect(own.rows).toEqual([]);
    expect(browsers).toEqual(own);

    // The buttons of the review are none of the paper's.
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const sheet = page.locator("[data-print-sheet]");
    await expect(sheet.getByText("const tries = 5;").first()).toBeVisible();
    for (const word of ["Unified", "Net diff", "Copy patch"])
      await expect(sheet.getByText(word)).toBeHidden();
    await expect(changes).toBeHidden();
    await backToThread();
  });

  await test.step("on Waterfall each step is a line of a table, its times in one piece", async () => {
    await session.press("w");
    await expect(page.locator("[data-waterfall]")).toBeVisible();
    await page.setViewportSize({ width: 718, height: 1_000 });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const times = page.locator("[data-print-sheet] td time");
    await expect(times.first()).toBeVisible();
    expect(await times.evaluateAll((all) => all.map((time) => time.getClientRects().length))).toEqual([1, 1]);
  });
});

test("the library and a search are printed as they are read: rows within the paper, each text on its line", async ({
  page,
}) => {
  for (const path of ["/", "/search?q=many"]) {
    await page.goto(`${server.url}${path}#t=${server.token}`);
    const row = page.locator('a[href*="/sessions/"]').first();
    await expect(row).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 794, height: 1123 });
    // Not cut away by what is around it: what is at its place is the row itself.
    await row.click({ trial: true });
    const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(wider, path).toBeLessThanOrEqual(0);
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 1280, height: 720 });
  }
});
