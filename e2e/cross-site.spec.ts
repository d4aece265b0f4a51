import { createServer, type Server } from "node:http";
import { expect } from "@playwright/test";
import type { TestServer } from "./support/server";
import { test } from "./support/test";

let server: TestServer;
let other: Server;
let otherPort = 0;

/** Another program's server on this machine, with one empty page. */
test.beforeAll(async ({ samples }) => {
  server = samples;
  other = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<title>x</title>"),
  );
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  otherPort = typeof address === "object" && address ? address.port : 0;
});
test.afterAll(() => void other.close());

for (const host of ["127.0.0.1", "localhost"]) {
  test(`a page on another port of ${host} reads nothing`, async ({ page }) => {
    const answered: string[] = [];
    page.on("response", (response) => {
      if (response.url().startsWith(server.url)) answered.push(response.url());
    });
    await page.goto(`http://${host}:${otherPort}/`);
    const got = await page.evaluate(attempt, { api: `${server.url}/api/health`, token: server.token });
    expect(got).toEqual({
      "fetch with the token": "failed",
      "fetch without": "failed",
      "no-cors fetch": "failed",
      image: "failed",
      script: "failed",
      stream: "failed",
    });
    expect(answered).toEqual([]);
  });
}

test("a foreign page can neither frame a page nor keep a handle on its window", async ({ page }) => {
  await page.goto(`http://localhost:${otherPort}/`);
  await page.evaluate((url) => {
    const frame = document.createElement("iframe");
    frame.src = url;
    document.body.append(frame);
  }, `${server.url}/`);
  await expect.poll(() => page.frames().at(-1)?.url()).toBe("chrome-error://chromewebdata/");

  const opened = page.waitForEvent("popup");
  const severed = page.evaluate(async (url) => {
    const popup = window.open(url);
    while (popup && !popup.closed) await new Promise((resolve) => setTimeout(resolve, 10));
    return popup?.closed;
  }, `${server.url}/`);
  const popup = await opened;
  await expect(popup).toHaveTitle(/Backscroll/);
  expect(await popup.evaluate(() => window.opener)).toBeNull();
  expect(await severed).toBe(true);
});

test("a link from another site opens", async ({ page }) => {
  await page.goto(`http://localhost:${otherPort}/`);
  await page.evaluate((url) => {
    const link = document.createElement("a");
    link.href = url;
    link.textContent = "go";
    document.body.append(link);
  }, `${server.url}/#t=${server.token}`);
  await page.getByText("go").click();
  await expect(page).toHaveTitle(/Backscroll/);
  await expect(page.locator('a[href*="/sessions/"]').first()).toBeVisible();
});

/** Runs in the foreign page: tries every way a page has to reach another origin. */
async function attempt({ api, token }: { api: string; token: string }): Promise<Record<string, string>> {
  const read = (init: RequestInit) =>
    fetch(api, init).then(
      async (answer) => `status ${answer.status}, ${(await answer.text()).length} characters`,
      () => "failed",
    );
  const load = (tag: "img" | "script") =>
    new Promise<string>((resolve) => {
      const element = document.createElement(tag);
      element.addEventListener("load", () => resolve("loaded"));
      element.addEventListener("error", () => resolve("failed"));
      element.src = api;
      document.head.append(element);
    });
  const stream = new Promise<string>((resolve) => {
    const source = new EventSource(api);
    source.addEventListener("open", () => resolve("opened"));
    source.addEventListener("error", () => {
      source.close();
      resolve("failed");
    });
  });
  return {
    "fetch with the token": await read({ headers: { authorization: `Bearer ${token}` } }),
    "fetch without": await read({}),
    "no-cors fetch": await read({ mode: "no-cors" }),
    image: await load("img"),
    script: await load("script"),
    stream: await stream,
  };
}
