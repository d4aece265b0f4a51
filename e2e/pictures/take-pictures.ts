import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { launchOptions } from "../../bin/tasks/chromium.mjs";
import { composeSheet, type SheetPicture } from "../support/contact-sheet";
import { serveRecordings } from "../support/serve-recordings";
import { startServer, type TestServer } from "../support/server";
import { watchRequests } from "../support/watch-requests";
import { liveCopy } from "./live-copy";
import { AT_WORK, findSamples, SAMPLES, type Samples } from "./samples";
import { README_VIEWS, SHEET_VIEWS, type View } from "./views";

// Takes README's pictures, or with `--sheets FOLDER` contact sheets of every page. Run by `npm run pictures`.
const PICTURES = join(import.meta.dirname, "../../docs/pictures");
/** Of all pictures together: every clone has them. */
const MAX_BYTES = 2_200_000;
const PICTURE_WIDTH = 1600;
const SCHEMES = ["dark", "light"] as const;
type Scheme = (typeof SCHEMES)[number];
type Screen = { width: number; height: number; scale: number };
/** A4 as browsers count it. */
const PAPER: Screen = { width: 794, height: 1123, scale: 1 };
/** The same on every system that has it, or one of its widths: what `system-ui` means differs in width by a fifth. */
const FONT = '"Liberation Sans", Arial, Helvetica, sans-serif';

/** How long after the last session pictures are taken, so that their dates are the same each time. */
const LATER_MS = 40 * 60_000;
/** How long a session at work is watched before its picture is taken. */
const WATCH_MS = 5_000;
const STILL_MS = 700;

const { values } = parseArgs({ options: { sheets: { type: "string" }, only: { type: "string" } } });
const server = await startServer();
let recorded: TestServer | undefined;
const browser = await chromium.launch(launchOptions());
try {
  const samples = await findSamples(server);
  await (values.sheets === undefined ? takePictures(samples) : takeSheets(samples, values.sheets));
} finally {
  await browser.close();
  await Promise.all([server.stop(), recorded?.stop()]);
}

async function takePictures(samples: Samples): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  let bytes = 0;
  for (const view of README_VIEWS) {
    const { width = 1280 } = view;
    const screen = { width, height: (width * 5) / 8, scale: PICTURE_WIDTH / width };
    for (const [scheme, png] of await take(view, samples, screen)) {
      writeFileSync(join(PICTURES, `${view.name}-${scheme}.png`), png);
      bytes += png.length;
    }
  }
  process.stdout.write(`${README_VIEWS.length * SCHEMES.length} pictures, ${Math.round(bytes / 1_000)} kB\n`);
  if (bytes > MAX_BYTES) throw new Error("The pictures are larger than 2.2 MB.");
}

/** Every page in dark and light, wide and narrow, or on paper: each a picture, and all together a sheet a scheme. */
async function takeSheets(samples: Samples, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const pictures: Record<Scheme, SheetPicture[]> = { dark: [], light: [] };
  for (const width of [1440, 390]) {
    const screen = { width, height: width > 400 ? 900 : 844, scale: 1 };
    for (const view of SHEET_VIEWS) {
      if ((view.onPaper && width < 400) || !view.name.includes(values.only ?? "")) continue;
      for (const [scheme, png] of await take(view, samples, view.onPaper ? PAPER : screen)) {
        writeFileSync(join(folder, `${view.name}-${width}-${scheme}.png`), png);
        pictures[scheme].push({ title: `${view.name}, ${width}`, width, png });
      }
    }
  }
  for (const scheme of SCHEMES)
    await composeSheet(browser, pictures[scheme], join(folder, `sheet-${scheme}.png`));
}

/** Opens a page once and takes it in both schemes. */
async function take(view: View, samples: Samples, screen: Screen): Promise<Map<Scheme, Buffer>> {
  if (view.of === undefined) return takeFrom(server, view, samples, screen, async () => {});
  if (view.of === "recordings") {
    recorded ??= await serveRecordings(RECORDED_VERSIONS, { env: { BACKSCROLL_GALLERY: "1" } });
    return takeFrom(recorded, view, samples, screen, async () => {});
  }
  const copy = liveCopy(SAMPLES, AT_WORK);
  const live = await startServer({ claudeDirs: [copy.dir] });
  try {
    return await takeFrom(live, view, samples, screen, () => copy.play(WATCH_MS));
  } finally {
    await live.stop();
    copy.remove();
  }
}

async function takeFrom(
  { url, token }: TestServer,
  view: View,
  samples: Samples,
  { width, height, scale }: Screen,
  watch: () => Promise<void>,
): Promise<Map<Scheme, Buffer>> {
  const page = await browser.newPage({
    viewport: { width, height },
    deviceScaleFactor: scale,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
  });
  if (view.of !== "live") await page.clock.setFixedTime(samples.lastActiveAtMs + LATER_MS);
  const { unanswered } = view;
  if (unanswered !== undefined) await page.route(`**/api/${unanswered}**`, () => undefined);
  // Of what is never answered, nothing tells that the page has drawn what it can.
  const allRead = unanswered === undefined ? watchRequests(page) : () => page.waitForTimeout(WATCH_MS);
  await page.goto(`${url}${view.path(samples)}${view.isStranger ? "" : `#t=${token}`}`);
  // Not before: the page's own first drawing would take it away.
  await page.evaluate((font) => document.documentElement.style.setProperty("--font-sans", font), FONT);
  if (unanswered === undefined) await page.locator("main, [role=alert]").first().waitFor();
  await allRead();
  await view.act?.(page);
  await allRead();
  await watch();
  await still(page);
  if (view.onPaper) await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const pictures = new Map<Scheme, Buffer>();
  for (const scheme of SCHEMES) pictures.set(scheme, await inScheme(page, scheme, view));
  // A page that is left says so, one that is closed from outside does not: what it presents would lead the next ones.
  await page.goto("about:blank");
  await page.close();
  return pictures;
}

/** Waits until the page has not changed for a while: code is coloured by a worker, after it is there. */
async function still(page: Page): Promise<void> {
  await page.evaluate(
    ([quietMs, mostMs]) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, quietMs);
        setTimeout(resolve, mostMs);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, quietMs);
        }).observe(document.body, { subtree: true, childList: true });
      }),
    [STILL_MS, WATCH_MS] as const,
  );
}

async function inScheme(page: Page, colorScheme: Scheme, { onPaper }: View): Promise<Buffer> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce", media: onPaper ? "print" : "screen" });
  // The graph is drawn by script, in the frame after the one that is told of the scheme.
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);
  });
  return page.screenshot({ animations: "disabled", fullPage: onPaper === true });
}
