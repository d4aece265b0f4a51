// @vitest-environment page
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { Markdown } from "./markdown";

it("a table that is wider than its page can be scrolled with the keys", async () => {
  const page = drawnPage();
  await page.draw(<Markdown text={"| a | b |\n|---|---|\n| 1 | 2 |"} />);
  const scroller = document.querySelector("table")?.closest<HTMLElement>(".overflow-x-auto");
  expect(scroller?.tabIndex).toBe(0);
});
