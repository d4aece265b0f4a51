// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { afterWrites } from "@/lib/client/address/address-writes";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeSummary } from "@/lib/testing/session-summary";
import { useLibraryFilters } from "../library-filters";
import { SessionList } from "./session-list";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

const NOW_MS = 1_700_000_000_000;
const SESSIONS = Array.from({ length: 500 }, (_, n) =>
  makeSummary({ title: `Session ${n}`, lastActiveAtMs: NOW_MS - n * 1e6 }),
);

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Response.json({ projects: [], totals: null }));
  window.history.replaceState(null, "", "/");
  // The page is not laid out: without a height the list would draw no rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
});

function Page({ sessions = SESSIONS, settled = true }) {
  const [filters] = useLibraryFilters();
  const library = { shown: sessions, sessions, complete: true, filters, nowMs: NOW_MS };
  return <SessionList library={{ ...library, settled, loadMore: () => undefined } as never} />;
}

/** Resolves to what takes it out of the page again. */
async function draw(): Promise<() => void> {
  const page = drawnPage();
  await page.draw(<Page />);
  return page.leave;
}

const box = () => document.querySelector<HTMLElement>('[role="table"] > [role="presentation"]');

async function scrollTo(px: number): Promise<void> {
  await act(async () => {
    const scroller = box();
    if (scroller) scroller.scrollTop = px;
    scroller?.dispatchEvent(new Event("scroll"));
  });
}

/** Orders by the column, or as at first where it is ordered by that. Waits until the address says it. */
async function order(by: string): Promise<void> {
  const heads = [...document.querySelectorAll<HTMLButtonElement>('[role="columnheader"] button')];
  await act(async () => {
    heads.find(({ textContent }) => textContent === by)?.click();
    await new Promise<void>((resolve) => afterWrites(resolve));
  });
}

it("another order is another list, which begins at its top", async () => {
  await draw();
  await scrollTo(4_000);
  await order("Session");
  expect(window.location.search).toBe("?sort=title");
  expect(box()?.scrollTop).toBe(0);
});

it("a list that the reader comes back to has its former position, and its row is still chosen", async () => {
  window.history.replaceState(null, "", "/?sort=title");
  const leave = await draw();
  await scrollTo(4_000);
  const row = [...document.querySelectorAll<HTMLElement>('[role="row"] a')].at(10);
  await act(async () => row?.click());
  leave();
  // Said otherwise, as a link may say it.
  window.history.replaceState(null, "", "/?running=false&sort=title");
  await draw();
  expect(box()?.scrollTop).toBe(4_000);
  expect(document.querySelector('[role="row"] a[tabindex="0"]')?.textContent).toBe(row?.textContent);
  expect(document.activeElement?.textContent).toBe(row?.textContent);
});

it("a reader who comes back from a row of a session has the focus on the session", async () => {
  window.history.replaceState(null, "", "/?q=back");
  const page = drawnPage();
  await page.draw(<Page />);
  const row = document.querySelectorAll<HTMLElement>('[role="row"] a').item(2);
  const title = row.textContent;
  await act(async () => row.click());
  await page.draw(<button type="button">A row of the session</button>);
  document.querySelector("button")?.focus();
  window.history.replaceState(null, "", "/?q=back");
  await page.draw(<Page />);
  expect(document.activeElement?.textContent).toBe(title);
});

it("a session that Enter opened without a chosen row is the chosen one after Back", async () => {
  window.history.replaceState(null, "", "/?q=enter");
  const leave = await draw();
  await act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" })));
  leave();
  await draw();
  expect(document.activeElement?.textContent).toBe("Session 0");
});

it("a session that is chosen a moment before the filtered list is there stays chosen in it", async () => {
  window.history.replaceState(null, "", "/?q=sooner");
  const page = drawnPage();
  await page.draw(<Page settled={false} />);
  await order("Session");
  await act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true })));
  expect(document.activeElement?.textContent).toBe("Session 0");
  await page.draw(<Page />);
  expect(document.activeElement?.textContent).toBe("Session 0");
});

it("a reader who types a filter keeps the focus, even if a row was chosen in the list before", async () => {
  const leave = await draw();
  const row = document.querySelector<HTMLElement>('[role="row"] a');
  await act(async () => row?.click());
  leave();
  const page = drawnPage();
  document.body.append(document.createElement("input"));
  document.querySelector("input")?.focus();
  await page.draw(<Page />);
  expect(document.querySelector('[role="row"] a[tabindex="0"]')).not.toBeNull();
  expect(document.activeElement).toBe(document.querySelector("input"));
});

it("if the current row disappears, for example when it is hidden, the next one is current", async () => {
  window.history.replaceState(null, "", "/?q=session");
  const page = drawnPage();
  await page.draw(<Page />);
  const press = (key: string) =>
    act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
  for (const _ of [1, 2, 3]) await press("j");
  expect(document.activeElement?.textContent).toBe("Session 2");
  await page.draw(<Page sessions={SESSIONS.filter(({ title }) => title !== "Session 2")} />);
  expect(document.activeElement?.textContent).toBe("Session 3");
  await press("k");
  expect(document.activeElement?.textContent).toBe("Session 1");
  await page.draw(<Page sessions={SESSIONS.slice(0, 1)} />);
  expect(document.activeElement?.textContent).toBe("Session 0");
});
