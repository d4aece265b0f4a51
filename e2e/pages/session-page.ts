import { expect, type Locator, type Page } from "@playwright/test";

/** The session page, as a reader uses it. */
export class SessionPage {
  readonly thread: Locator;
  /** Rows that are loaded; only those near the screen are in the page. */
  readonly rows: Locator;

  constructor(readonly page: Page) {
    this.thread = page.getByRole("main", { name: "Thread" });
    this.rows = this.thread.locator("article[data-record-id]");
  }

  /** Waits until rows are there, whatever has to be scanned first. */
  async ready(): Promise<void> {
    await expect(this.rows.first()).toBeVisible();
  }

  /** Scrolls to a share of the whole thread and waits until the rows on screen are loaded. */
  async scrollTo(share: number): Promise<void> {
    await this.thread.evaluate((main, to) => {
      main.scrollTop = (main.scrollHeight - main.clientHeight) * to;
    }, share);
    await expect(this.thread.locator('article[aria-busy="true"]')).toHaveCount(0);
  }

  /** The first row on screen that can be opened, once there is one. */
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
    await row.getByRole("button", { name: "Open", exact: true }).first().click();
    await expect(row.getByRole("button", { name: "Copy link to this row" }).first()).toBeVisible();
  }

  /** The row's permalink, by its button, from the clipboard. */
  async copyLink(row: Locator): Promise<string> {
    await row.getByRole("button", { name: "Copy link to this row" }).first().click();
    await expect(this.page.getByText("Link copied")).toBeVisible();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Index of the row that has the focus, or `null`. */
  focusedRow(): Promise<number | null> {
    return this.page.evaluate(() => {
      const index = document.activeElement?.getAttribute("data-index");
      return index === null || index === undefined ? null : Number(index);
    });
  }
}

/** Runs in the page. Rows at the edges are left out: what opens below them would not be seen. */
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
