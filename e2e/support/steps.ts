import { expect, type Locator, type Page } from "@playwright/test";

/** Does what a reader does, and counts it: a click, a key and a text that is typed are one step each. */
export class Steps {
  readonly #taken: string[] = [];

  constructor(readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.#taken.push(`click ${target.toString()}`);
    await target.click();
  }

  async press(key: string): Promise<void> {
    this.#taken.push(`press ${key}`);
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.#taken.push(`type ${text}`);
    await this.page.keyboard.insertText(text);
  }

  /** Fails where the task took more steps than this, and names them. */
  expectAtMost(most: number): void {
    expect(this.#taken.length, this.#taken.join(", ")).toBeLessThanOrEqual(most);
  }
}
