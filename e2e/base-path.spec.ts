import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { SessionPage } from "./pages/session-page";
import { watchPolicy } from "./pages/watch-policy";
import { copiedBy } from "./support/clipboard";
import { type LiveFolder, liveFolder, SESSION } from "./support/live-folder";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

/** Named as one of our own pages is, which must not be taken for it. */
const BASE = "/team/sessions";

/** A host with another site at its root, and Backscroll below a path, which is left on what is forwarded. */
type Proxy = { origin: string; host: string; strays: string[]; stop: () => Promise<void> };

let folder: LiveFolder;
let proxy: Proxy;
let server: TestServer;

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test.beforeAll(async () => {
  folder = liveFolder();
  proxy = await startProxy(() => Number(new URL(server.url).port));
  server = await startServer({
    claudeDirs: [folder.dir],
    args: ["--allow-host", proxy.host, "--base-path", BASE],
  });
});
test.afterAll(async () => {
  await proxy.stop();
  await server.stop();
  folder.remove();
});

async function startProxy(toPort: () => number): Promise<Proxy> {
  const strays: string[] = [];
  const listener: http.RequestListener = (request, response) => {
    const { method, url = "", headers } = request;
    if (!url.startsWith(`${BASE}/`)) {
      strays.push(url);
      return void response.writeHead(404).end("another site");
    }
    const asked = http.request(
      { host: "127.0.0.1", port: toPort(), method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    asked.on("error", () => response.destroy());
    response.on("close", () => asked.destroy());
    request.pipe(asked);
  };
  const made = http.createServer(listener);
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  const host = `logs.localhost:${(made.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      made.close(() => resolve());
      made.closeAllConnections();
    });
  return { origin: `http://${host}`, host, strays, stop };
}

/** The path of a page, which must be below the base. */
const pathOf = (page: Page) => new URL(page.url()).pathname;

test("library, session, its end, a reload and Back, below the path of a proxy", async ({ page }) => {
  const problems = await watchPolicy(page);
  const session = new SessionPage(page);
  await page.goto(`${proxy.origin}${BASE}/#t=${server.token}`);
  const entry = page.locator(`a[href="${BASE}/sessions/${SESSION}"]`).first();
  await expect(entry).toBeVisible();
  expect(pathOf(page)).toBe(`${BASE}/`);
  const library = page.url();

  // Another session first: what the router knows of one must not be shown for the other.
  const other = page.locator(`a[href^="${BASE}/sessions/"]:not([href$="${SESSION}"])`).first();
  const otherPath = await other.getAttribute("href");
  await other.click();
  await session.ready();
  expect(pathOf(page)).toBe(otherPath);
  await page.getByRole("link", { name: "Library" }).click();
  await entry.click();
  await session.ready();
  expect(pathOf(page)).toBe(`${BASE}/sessions/${SESSION}`);
  await session.press("G");
  await expect(session.thread.getByText("Turn 8, line 12")).toBeVisible();
  folder.writer.say("Written while it is read");
  await expect(session.thread.getByText("Written while it is read")).toBeVisible();

  await page.reload();
  await expect(session.thread.getByText("Written while it is read")).toBeVisible();
  await session.press("i");
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(library);
  await expect(entry).toBeVisible();
  await page.goForward();
  await session.ready();

  for (const path of ["usage", "doctor", "now", `search?q=${encodeURIComponent("line 5")}`]) {
    await page.goto(`${proxy.origin}${BASE}/${path}`);
    await expect(page.getByRole("main").first()).toBeVisible();
  }
  await expect(page.locator(`a[href^="${BASE}/sessions/${SESSION}?"]`).first()).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toContain(`backscroll.token${BASE}`);
  await expectInstallable(page);
  expect([problems, proxy.strays]).toEqual([[], []]);
});

/** The browser can install the page as an app, which begins at the library below the path. */
async function expectInstallable(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const { url, data = "", errors } = await browser.send("Page.getAppManifest");
  expect([url, errors]).toEqual([`${proxy.origin}${BASE}/manifest.webmanifest`, []]);
  const { start_url: start, icons } = JSON.parse(data) as { start_url: string; icons: { src: string }[] };
  expect(new URL(start, url).href).toBe(`${proxy.origin}${BASE}/`);
  const asked = icons.map(({ src }) => new URL(src, url).href);
  const statuses = await page.evaluate(
    (all) => Promise.all(all.map(async (one) => (await fetch(one)).status)),
    asked,
  );
  expect(statuses).toEqual(icons.map(() => 200));
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  // A test's browser keeps nothing, so it would not install anything.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual(
    [],
  );
}

test("a link for another person and an export carry the path", async ({ page, browser }) => {
  const session = new SessionPage(page);
  await page.goto(`${proxy.origin}${BASE}/sessions/${SESSION}#t=${server.token}`);
  await session.ready();

  await page.keyboard.press("x");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download Markdown" }).click();
  expect(readFileSync(await (await download).path(), "utf8")).toContain("Turn 8, line 12");
  await page.keyboard.press("Escape");

  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await expect(dialog.getByText(`${proxy.origin}${BASE}`, { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await copiedBy(page, () => dialog.getByRole("button", { name: "Copy link" }).click());
  expect(link.startsWith(`${proxy.origin}${BASE}/sessions/`)).toBe(true);

  const guest = await (await browser.newContext()).newPage();
  const problems = await watchPolicy(guest);
  await guest.goto(link);
  const theirs = new SessionPage(guest);
  await theirs.ready();
  await expect(guest.getByRole("region", { name: "Shared with you" })).toBeVisible();
  folder.writer.say("And the guest reads on");
  await theirs.press("G");
  await expect(theirs.thread.getByText("And the guest reads on")).toBeVisible();
  await guest.goto(`${proxy.origin}${BASE}/`);
  await guest.getByRole("link", { name: "Open the shared session" }).click();
  await theirs.ready();
  expect([problems, proxy.strays]).toEqual([[], []]);
  await guest.context().close();
});

test("nothing is served outside of the path", async ({ request }) => {
  const own = new URL(server.url).origin;
  const bearer = { Authorization: `Bearer ${server.token}` };
  for (const path of ["/", "/api/health", `/sessions/${SESSION}`, `${BASE}x/`, "/team", `${BASE}/../`])
    expect([path, (await request.get(own + path, { headers: bearer })).status()]).toEqual([path, 404]);
  for (const [path, status] of [
    [BASE, 200],
    [`${BASE}/`, 200],
    [`${BASE}?project=x`, 200],
    [`${BASE}/api/health`, 200],
    [`${BASE}/favicon.svg`, 200],
    [`${BASE}${BASE}/`, 404],
    [`${BASE}/_next/image`, 404],
  ] as const)
    expect([path, (await request.get(own + path, { headers: bearer })).status()]).toEqual([path, status]);
});
