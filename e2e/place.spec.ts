import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { LogWriter } from "@/lib/testing/log-writer";
import { runs, seededRandom } from "@/lib/testing/runs";
import { SessionPage } from "./pages/session-page";
import { type Eye, expectEye, eyeOf, replaced, seen } from "./support/random-reader";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

// Where the reader is, is one thing: a record and how far down the screen it stands. Whatever happens to the view
// around it, the reader goes on to look at it.

/** Of the random sequences; each is printed with what it did. */
const SEED = 16;
const STEPS = 8;

let folder: string;
let server: TestServer;
let sessions = 0;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-place-"));
  mkdirSync(join(folder, "projects", "-home-dev-shop"), { recursive: true });
  server = await startServer({ claudeDirs: [folder] });
});
test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A session of its own: turns of calls, long answers and outputs, and a rewind in its midst. */
function writeSession(turns = 14): { id: string; log: LogWriter } {
  sessions += 1;
  const id = `20000000-0000-4000-8000-${String(sessions).padStart(12, "0")}`;
  const log = new LogWriter(join(folder, "projects", "-home-dev-shop", `${id}.jsonl`), "root");
  const turn = (n: number, name: string) => {
    log.prompt(`${name} ${n}: ${"look at how the till rounds its totals, ".repeat(n % 4)}please`);
    for (let call = 0; call < 3 + (n % 4); call++) {
      const isBash = call % 3 === 2;
      const input = isBash
        ? { command: `npm test -- ${n}` }
        : { file_path: `/home/dev/bench/${n}-${call}.ts` };
      const output = isBash ? "ok\n".repeat(30) : "1\tconst total = 0;";
      log.result(log.call(isBash ? "Bash" : "Read", input), output);
      if (call === 1)
        log.say(`Answer ${n}. ${"The rounding is done twice, once a row and once a bill. ".repeat(12)}`);
    }
    log.say(`Done with ${n}.`);
  };
  for (let n = 1; n <= turns / 2; n++) turn(n, "Prompt");
  const stem = log.lastLine;
  for (let n = 1; n <= 3; n++) turn(n, "Abandoned");
  log.goBackTo(stem);
  for (let n = turns / 2 + 1; n <= turns; n++) turn(n, "Prompt");
  return { id, log };
}

async function openSession(page: Page, id: string, query = ""): Promise<SessionPage> {
  const session = new SessionPage(page);
  const streams = page.waitForResponse((response) => response.url().includes("/api/events"));
  await page.goto(`${server.url}/sessions/${id}${query}#t=${server.token}`);
  await session.ready();
  await streams;
  return session;
}

const DETAILS = ["Prompts", "Conversation", "Tools", "Everything"];

/** Scrolls as a wheel does, and answers what is looked at then. */
async function scroll(session: SessionPage, share: number): Promise<Eye> {
  await session.scrollTo(share);
  return eyeOf(await seen(session.page));
}

async function choose(session: SessionPage, detail: string): Promise<void> {
  const button = session.page.getByRole("group", { name: "Detail" }).getByRole("button", { name: detail });
  if ((await button.getAttribute("aria-pressed")) === "true") return;
  await replaced(session.page, () => button.click());
}

/** Opens a command's row that is in view, and answers its record. */
async function openCommand(session: SessionPage): Promise<string> {
  const { rows, heightPx } = await seen(session.page);
  for (const { recordId, top, bottom } of rows) {
    if (top < 80 || bottom > heightPx - 200) continue;
    const row = session.row(recordId);
    if (!(await row.textContent())?.includes("npm test -- ")) continue;
    const button = row.locator("button[aria-expanded]").first();
    await button.click();
    await expect(button).toHaveAttribute("aria-expanded", "true");
    return recordId;
  }
  throw new Error("no command is in view");
}

/** The link that the share dialog offers. */
async function sharedLink(session: SessionPage): Promise<URL> {
  await session.press("s");
  const dialog = session.page.getByRole("dialog", { name: "Share this view" });
  await dialog.getByRole("tab", { name: "For myself" }).click();
  const link = await dialog.locator("output span").getAttribute("title");
  await session.press("Escape");
  await expect(dialog).toHaveCount(0);
  return new URL(link ?? "");
}

test("the views that hide the record that is read lead back to it, and a reload too, which leaves the reader where he was", async ({
  page,
}) => {
  const { id } = writeSession();
  const session = await openSession(page, id);
  const eye = await scroll(session, 0.72);
  for (const detail of ["Conversation", "Prompts", "Tools"]) await choose(session, detail);
  expect(eyeOf(await seen(page))).toEqual(eye);
  for (const detail of ["Prompts", "Everything", "Prompts"]) {
    await choose(session, detail);
    await expectEye(page, eye, detail);
  }
  await page.reload();
  await session.ready();
  await choose(session, "Tools");
  expect(eyeOf(await seen(page))).toEqual(eye);

  await test.step("in the midst of what he had opened", () => reloadInOpened(session));
});

async function reloadInOpened(session: SessionPage): Promise<void> {
  const { page } = session;
  await session.scrollTo(0.5);
  const recordId = await openCommand(session);
  await expect
    .poll(async () => (await session.row(recordId).boundingBox())?.height ?? 0)
    .toBeGreaterThan(300);
  // Its head is above the view.
  await session.row(recordId).evaluate((element) => {
    const main = element.closest("main");
    if (main) main.scrollTop += element.getBoundingClientRect().top - main.getBoundingClientRect().top + 150;
  });
  const eye = eyeOf(await seen(page));
  expect(eye).toMatchObject({ recordId });
  expect(eye.y).toBeLessThan(-100);
  await page.reload();
  await session.ready();
  await expect
    .poll(async () => Math.abs(eyeOf(await seen(page)).y - eye.y), { message: "as far down in the row" })
    .toBeLessThanOrEqual(2);
  expect(eyeOf(await seen(page))).toMatchObject({ recordId });
}

test("a shared link opens where the sharer is, with what he has open", async ({ page, browser }) => {
  const { id } = writeSession();
  const session = await openSession(page, id);
  const eye = await scroll(session, 0.6);
  const scrolled = await sharedLink(session);
  expect(scrolled.searchParams.get("at")).toMatch(new RegExp(`^${eye.recordId}`));

  // The address of the sharer is as it was.
  expect(new URL(page.url()).searchParams.get("at")).toBeNull();
  await openCommand(session);
  const chosen = eyeOf(await seen(page));
  const opened = await sharedLink(session);

  const other = await browser.newPage();
  for (const [link, at] of [
    [scrolled, eye],
    [opened, chosen],
  ] as const) {
    const reader = await openSession(other, id, link.search);
    await expectEye(other, at, link.search);
    await expect(reader.thread.locator('article[tabindex="0"]')).toHaveAttribute(
      "data-record-id",
      at.recordId,
    );
  }
  await expect(
    other.locator(`article[data-record-id="${chosen.recordId}"] button[aria-expanded]`).first(),
  ).toHaveAttribute("aria-expanded", "true");
  await other.close();
});

/** Where the reader of an agent's pane looks, when it has come to rest. */
async function paneEye(pane: Locator): Promise<Eye> {
  return pane.evaluate(async (element) => {
    const look = () => {
      const list = element.querySelector<HTMLElement>('[aria-label^="Thread of"]');
      if (!list || list.querySelector('article[aria-busy="true"]')) return null;
      const { top } = list.getBoundingClientRect();
      const rows = [...list.querySelectorAll<HTMLElement>("article[data-record-id]")];
      const first = rows
        .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
        .find((row) => row.getBoundingClientRect().bottom - top > 44);
      if (!first) return null;
      return {
        recordId: first.dataset.recordId ?? "",
        y: Math.round(first.getBoundingClientRect().top - top),
      };
    };
    let last = "";
    for (let same = 0; same < 6; ) {
      await new Promise(requestAnimationFrame);
      const now = JSON.stringify(look());
      same = now === last && now !== "null" ? same + 1 : 0;
      last = now;
    }
    return JSON.parse(last);
  });
}

test("an agent's pane is read on where it was left after a reload, and by a shared link", async ({
  page,
  browser,
}) => {
  const { id, log } = writeSession(6);
  const agent = log.startAgent("a1", "Look around");
  for (let n = 1; n <= 40; n++) {
    agent.say(`Found ${n}. ${"It is rounded here, too. ".repeat(20)}`);
    for (let call = 0; call < 4; call++)
      agent.result(agent.call("Read", { file_path: `/home/dev/shop/${n}-${call}.ts` }), "1\tconst a = 1;");
    agent.result(agent.call("Bash", { command: `npm test -- ${n}` }), "ok\n".repeat(12));
  }
  const session = await openSession(page, id, "?panes=agent:a1");
  const pane = (of: Page) => of.getByRole("region", { name: "Agent Look around" });
  const list = pane(page).locator('[aria-label^="Thread of"]');
  await expect(list.getByText(/^Found \d/).first()).toBeVisible();
  await list.evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2;
  });
  await paneEye(pane(page));
  const recordId = await list
    .locator("article", { hasText: "npm test" })
    .first()
    .getAttribute("data-record-id");
  const command = list.locator(`article[data-record-id="${recordId}"]`);
  await command
    .getByRole("button", { name: /^Open / })
    .first()
    .click();
  await expect(command.getByRole("button", { name: "Copy link to this row" })).toBeVisible();
  const eye = await paneEye(pane(page));
  const expectThere = async (of: Page, after: string) => {
    await expect(pane(of)).toBeVisible();
    await expect.poll(async () => (await paneEye(pane(of))).recordId, { message: after }).toBe(eye.recordId);
    expect(Math.abs((await paneEye(pane(of))).y - eye.y), after).toBeLessThanOrEqual(2);
    await expect(pane(of).getByRole("button", { name: "Copy link to this row" })).toHaveCount(1);
  };
  const link = await sharedLink(session);
  expect(link.searchParams.get("paneAt")).toMatch(/^a1@/);
  await page.reload();
  await expectThere(page, "after a reload");

  const other = await browser.newPage();
  await openSession(other, id, link.search);
  await expectThere(other, link.search);
  await other.close();
});

test("the way forward opens an agent's pane where it was left", async ({ page }) => {
  const { id, log } = writeSession(2);
  const agent = log.startAgent("a1", "Look around");
  for (let n = 1; n <= 60; n++) agent.say(`Found ${n}. ${"It is rounded here, too. ".repeat(20)}`);
  const session = await openSession(page, id);
  await session.press("G");
  await page.getByRole("button", { name: "Open Look around beside" }).first().click();
  const pane = page.getByRole("region", { name: "Agent Look around" });
  const list = pane.locator('[aria-label^="Thread of"]');
  await expect(list.getByText(/^Found \d/).first()).toBeVisible();
  await list.evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2;
  });
  const eye = await paneEye(pane);
  await pane.getByRole("button", { name: "Close Agent Look around" }).click();
  await expect(pane).toHaveCount(0);
  await page.goForward();
  await expect(pane).toBeVisible();
  expect(await paneEye(pane)).toEqual(eye);
  // From another page.
  await page.goto(`${server.url}/now`);
  await page.goBack();
  await session.ready();
  await expect(pane).toBeVisible();
  expect(await paneEye(pane)).toEqual(eye);
});

/** A reader who does things at random, and what is expected of the place he looks at. */
class RandomReader {
  readonly #session: SessionPage;
  readonly #log: LogWriter;
  readonly #random: (below: number) => number;
  /** What he has opened and Back would undo, with where he was. */
  readonly #opened: { what: "pane" | "branch" | "graph"; eye: Eye }[] = [];
  #eye: Eye = { recordId: "", y: 0 };
  readonly did: string[] = [];

  constructor(session: SessionPage, log: LogWriter, random: (below: number) => number) {
    this.#session = session;
    this.#log = log;
    this.#random = random;
  }

  get #page(): Page {
    return this.#session.page;
  }

  async begin(): Promise<void> {
    this.#eye = await scroll(this.#session, 0.1 + this.#random(80) / 100);
    this.did.push(`at ${JSON.stringify(this.#eye)}`);
  }

  async step(): Promise<void> {
    const steps = [
      this.#scroll,
      this.#preset,
      this.#preset,
      this.#fold,
      this.#pane,
      this.#graph,
      this.#branch,
      this.#open,
      this.#append,
      this.#reload,
      this.#back,
      this.#back,
    ];
    await steps[this.#random(steps.length)]?.call(this);
    await expectEye(this.#page, this.#eye, this.did.join(" · "));
  }

  async #scroll(): Promise<void> {
    const before = JSON.stringify((await seen(this.#page)).rows);
    const eye = await scroll(this.#session, 0.05 + this.#random(90) / 100);
    // In a list that fits the view there is nowhere to go.
    if (JSON.stringify((await seen(this.#page)).rows) === before) return;
    this.#eye = eye;
    this.did.push(`scroll to ${JSON.stringify(this.#eye)}`);
  }

  async #preset(): Promise<void> {
    const detail = DETAILS[this.#random(DETAILS.length)] ?? "";
    this.did.push(detail);
    await choose(this.#session, detail);
  }

  async #fold(): Promise<void> {
    this.did.push("fold or unfold");
    const button = this.#page.getByRole("button", { name: /^(Unfold|Fold) all turns$/ });
    await replaced(this.#page, () => button.click());
  }

  async #pane(): Promise<void> {
    if (this.#opened.some(({ what }) => what === "pane")) return;
    this.did.push("files");
    await this.#session.press("F");
    await expect(this.#page.getByRole("region", { name: "Files" })).toBeVisible();
    this.#opened.push({ what: "pane", eye: this.#eye });
  }

  async #graph(): Promise<void> {
    this.did.push("graph and back");
    await this.#session.press("g");
    await expect(this.#page.locator("[data-graph]")).toBeVisible();
    if (this.#random(2) === 0) await this.#page.goBack();
    else
      await this.#page.getByRole("group", { name: "View" }).getByRole("button", { name: "Thread" }).click();
    await expect(this.#page.locator("[data-graph]")).toHaveCount(0);
  }

  async #branch(): Promise<void> {
    const fork = this.#session.rows.filter({
      has: this.#page.getByRole("button", { name: "Previous branch" }),
    });
    if ((await fork.count()) === 0) return;
    this.did.push("other branch");
    const button = fork.first().getByRole("button", { name: "Previous branch" });
    // Not under the header, where a click would have to scroll first.
    await button.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const before = eyeOf(await seen(this.#page));
    const y = (await fork.first().boundingBox())?.y ?? 0;
    await replaced(this.#page, () => button.click());
    this.#opened.push({ what: "branch", eye: before });
    const now = await seen(this.#page);
    const at = now.rows.find(({ kind, selected }) => kind === "fork" && selected);
    expect(at, `${this.did.join(" · ")}: the fork is selected`).toBeDefined();
    const moved = Math.abs(((await fork.first().boundingBox())?.y ?? 0) - y);
    expect(moved <= 2 || now.isAtEnd || now.isAtTop, `${this.did.join(" · ")}: it moved by ${moved}`).toBe(
      true,
    );
    this.#eye = eyeOf(now);
  }

  async #open(): Promise<void> {
    const { rows, heightPx } = await seen(this.#page);
    const shown = rows.filter(({ top, bottom }) => top > 60 && bottom < heightPx - 60);
    const row = shown[this.#random(shown.length)];
    if (!row) return;
    const element = this.#session.thread.locator(`article[data-index="${row.index}"]`);
    const button = element.locator("button[aria-expanded]").first();
    if ((await button.count()) === 0 || (await element.locator("h2").count()) > 0) return;
    this.did.push(`open or close row ${row.index}`);
    const was = await button.getAttribute("aria-expanded");
    const isRun = (await element.getByText(/^\d+ (files|commands)/).count()) > 0;
    if (isRun) return;
    await button.click();
    await expect(button).toHaveAttribute("aria-expanded", was === "true" ? "false" : "true");
    this.#eye = eyeOf(await seen(this.#page));
    expect(Math.abs(this.#eye.y - row.top), `${this.did.join(" · ")}: it stays`).toBeLessThanOrEqual(2);
  }

  async #append(): Promise<void> {
    const before = await seen(this.#page);
    this.did.push("two lines are written");
    this.#log.prompt("One more thing");
    this.#log.say("Written while it is read.");
    if (this.#opened.some(({ what }) => what === "branch")) return;
    await expect.poll(async () => (await seen(this.#page)).total).toBeGreaterThan(before.total);
    // Who is at the end goes along, where the list is longer than the view.
    const after = await seen(this.#page);
    const moved = before.rows.some(({ recordId, top }) => {
      const row = after.rows.find((one) => one.recordId === recordId);
      return row !== undefined && Math.abs(row.top - top) >= 20;
    });
    // Folds lead back to what he was reading when they open, however the list has grown since.
    const isFolded = await this.#page.getByRole("button", { name: "Unfold all turns" }).isVisible();
    if (before.isAtEnd && moved && !isFolded) this.#eye = eyeOf(after);
  }

  async #reload(): Promise<void> {
    this.did.push("reload");
    await this.#page.reload();
    await this.#session.ready();
  }

  async #back(): Promise<void> {
    const last = this.#opened.pop();
    if (!last) return;
    this.did.push(`Back from the ${last.what}`);
    if (last.what === "pane") {
      await this.#page.goBack();
      await expect(this.#page.getByRole("region", { name: "Files" })).toHaveCount(0);
      return;
    }
    await replaced(this.#page, () => this.#page.goBack());
    this.#eye = last.eye;
  }
}

for (let n = 0; n < runs(1, 200); n++)
  test(`the reader stays where he is, whatever he does (seed ${SEED}, sequence ${n})`, async ({ page }) => {
    const { id, log } = writeSession();
    const random = seededRandom(SEED * 1_000 + n);
    // Neighbouring seeds begin alike.
    for (let skip = 0; skip < 5; skip++) random(2);
    const session = await openSession(page, id);
    const reader = new RandomReader(session, log, random);
    await reader.begin();
    for (let step = 0; step < STEPS; step++) await reader.step();
  });
