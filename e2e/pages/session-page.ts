import { expect, type Locator, type Page } from "@playwright/test";
import { copiedBy } from "../support/clipboard";

/** Page object for the session page. */
export class SessionPage {
  readonly thread: Locator;
  /** Loaded rows; only those near the viewport are in the DOM. */
  readonly rows: Locator;

  constructor(readonly page: Page) {
    this.thread = page.getByRole("main", { name: "Thread" });
    this.rows = this.thread.locator("article[data-record-id]");
  }

  /** Opens the page of a session, and waits until its rows are shown. @param path its id, with the query of a view */
  static async open(
    page: Page,
    { url, token }: { url: string; token: string },
    path: string,
  ): Promise<SessionPage> {
    const session = new SessionPage(page);
    await page.goto(`${url}/sessions/${path}#t=${token}`);
    await session.ready();
    return session;
  }

  /** Opens it behind the library: an entry of the history that belongs to the product is below. */
  static async openFromLibrary(
    page: Page,
    { url, token }: { url: string; token: string },
    path: string,
  ): Promise<SessionPage> {
    const session = new SessionPage(page);
    await page.goto(`${url}/#t=${token}`);
    await expect(page.getByRole("searchbox", { name: /^Filter/ })).toBeVisible();
    await page.goto(`${url}/sessions/${path}`);
    await session.ready();
    return session;
  }

  /**
   * Waits until rows are shown, including any scan that has to come first. With `waitFor`, since `expect` describes all
   * of the page (a tree of its roles and names) each time that they are not there yet.
   */
  async ready(): Promise<void> {
    await this.rows.first().waitFor();
  }

  /** Scrolls to a fraction of the thread and waits until the rows on screen are loaded. */
  async scrollTo(share: number): Promise<void> {
    await this.thread.evaluate((main, to) => {
      main.scrollTop = (main.scrollHeight - main.clientHeight) * to;
    }, share);
    await expect(this.thread.locator('article[aria-busy="true"]')).toHaveCount(0);
  }

  /** The first openable row on screen, once there is one. */
  async openableRowOnScreen(): Promise<Locator> {
    let index: string | null = null;
    await expect
      .poll(async () => {
        index = await this.thread.evaluate(firstOpenableIndex);
        return index;
      })
      .not.toBeNull();
    return this.thread.locator(`article[data-index="${index}"]`);
  }

  row(recordId: string): Locator {
    return this.thread.locator(`article[data-record-id="${recordId}"]`);
  }

  async open(row: Locator): Promise<void> {
    await row
      .getByRole("button", { name: /^Open /, expanded: false })
      .first()
      .click();
    await row.getByRole("button", { name: "Copy link to this row" }).first().waitFor();
  }

  /** Copies the row's permalink with its button, and returns it from the clipboard. */
  async copyLink(row: Locator): Promise<string> {
    return copiedBy(this.page, () =>
      row.getByRole("button", { name: "Copy link to this row" }).first().click(),
    );
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** The index of the focused row, or `null`. */
  focusedRow(): Promise<number | null> {
    return this.page.evaluate(() => {
      const index = document.activeElement?.getAttribute("data-index");
      return index === null || index === undefined ? null : Number(index);
    });
  }
}

/** Runs in the page. Skips rows at the edges, since content that opens below them would not be visible. */
function firstOpenableIndex(main: Element): string | null {
  const { top, bottom } = main.getBoundingClientRect();
  for (const row of main.querySelectorAll<HTMLElement>("article[data-record-id]")) {
    const box = row.getBoundingClientRect();
    const inside = box.top > top + 60 && box.bottom < bottom - 60;
    if (inside && row.querySelector("button[aria-expanded]") && !row.querySelector("h2")) {
      return row.dataset.index ?? null;
    }
  }
  return null;
}
