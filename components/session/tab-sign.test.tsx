// @vitest-environment page
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { TabSign } from "./tab-sign";

it("has the icons below the path at which a proxy shows Backscroll", async () => {
  document.documentElement.dataset.basePath = "/logs";
  document.head.innerHTML = '<link rel="icon" href="/logs/favicon.svg">';
  const icon = () => document.querySelector<HTMLLinkElement>("link")?.getAttribute("href");
  const page = drawnPage();
  await page.draw(<TabSign title="The shop" state="running" />);
  expect(icon()).toBe("/logs/favicon-running.svg");
  expect(document.title).toBe("▸ The shop · Backscroll");
  await page.draw(<TabSign title="The shop" state="waiting" />);
  expect(icon()).toBe("/logs/favicon-waiting.svg");
  page.leave();
  expect(icon()).toBe("/logs/favicon.svg");
});

it("a title says what it holds of characters that would turn or hide the rest of it", async () => {
  await drawnPage().draw(<TabSign title={"a\u202egpj.exe\u200b"} state={null} />);
  expect(document.title).toBe("a[U+202E]gpj.exe[U+200B] · Backscroll");
});
