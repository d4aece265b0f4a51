import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { launchOptions } from "../../bin/tasks/chromium.mjs";
import { composeSheet, type SheetPicture } from "../support/contact-sheet";
import { startServer, type TestServer } from "../support/server";
import { watchRequests } from "../support/watch-requests";
import { liveCopy } from "./live-copy";
import { AT_WORK, findSamples, SAMPLES, type Samples } from "./samples";
import { README_VIEWS, SHEET_VIEWS, type View } from "./views";

// Takes README's pictures, or with `--sheets FOLDER` contact sheets of every page. Run by `npm run pictures`.
const PICTURES = join(import.meta.dirname, "../../docs/pictures");
/** Of all pictures together: every clone has them. */
const MAX_BYTES = 2 << 20;
const SCHEMES = ["dark", "light"] as const;
type Scheme = (typeof SCHEMES)[number];
type Screen = { width: number; height: number; scale: number };

/** How long after the last session pictures are taken, so that their dates are the same each time. */
const LATER_MS = 40 * 60_000;
/** How long a session at work is watched before its picture is taken. */
const WATCH_MS = 5_000;

const { values } = parseArgs({ options: { sheets: { type: "string" } } });
const server = await startServer();
const browser = await chromium.launch(launchOptions());
try {
  const samples = await findSamples(server);
  await (values.sheets === undefined ? takePictures(samples) : takeSheets(samples, values.sheets));
} finally {
  await browser.close();
  await server.stop();
}

async function takePictures(samples: Samples): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  let bytes = 0;
  for (const view of README_VIEWS) {
    for (const [scheme, png] of await take(view, samples, { width: 1280, height: 800, scale: 1.5 })) {
      writeFileSync(join(PICTURES, `${view.name}-${scheme}.png`), png);
      bytes += png.length;
    }
  }
  process.stdout.write(`${README_VIEWS.length * SCHEMES.length} pictures, ${Math.round(bytes / 1_000)} kB\n`);
  if (bytes > MAX_BYTES) throw new Error("The pictures are larger than 2 MB.");
}

/** Every page in dark and light, wide and narrow: each a picture, and all together a sheet a scheme. */
async function takeSheets(samples: Samples, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const pictures: Record<Scheme, SheetPicture[]> = { dark: [], light: [] };
  for (const width of [1440, 390]) {
    for (const view of SHEET_VIEWS) {
      const height = width > 400 ? 900 : 844;
      for (const [scheme, png] of await take(view, samples, { width, height, scale: 1 })) {
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
  if (!view.live) return takeFrom(server, view, samples, screen, async () => {});
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
  if (!view.live) await page.clock.setFixedTime(samples.lastActiveAtMs + LATER_MS);
  const allRead = watchRequests(page);
  await page.goto(`${url}${view.path(samples)}#t=${token}`);
  await page.locator("main").first().waitFor();
  await allRead();
  await view.act?.(page);
  await allRead();
  await watch();
  const pictures = new Map<Scheme, Buffer>();
  for (const scheme of SCHEMES) pictures.set(scheme, await inScheme(page, scheme));
  await page.close();
  return pictures;
}

async function inScheme(page: Page, colorScheme: Scheme): Promise<Buffer> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ animations: "disabled" });
}
