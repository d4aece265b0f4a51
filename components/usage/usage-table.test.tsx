// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { UsageRow } from "@/lib/wire/usage";
import { UsageScroll, useShownRows } from "./usage-scroll";
import { UsageTable } from "./usage-table";

vi.mock("next/navigation", () => ({ useRouter: () => ({}) }));

const row = (key: string): UsageRow => ({
  key,
  name: key,
  requests: 1,
  sessions: 1,
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  webSearches: 0,
  costMicroUsd: 1,
  unpricedTokens: 0,
  models: [],
});

const ROWS = [row("a\u202ecod.exe"), ...Array.from({ length: 229 }, (_, n) => row(`s${n}`))];

function View({ list }: { list: string }) {
  const shown = useShownRows(list);
  return (
    <UsageScroll label="Usage" list={list} count={shown.count}>
      <UsageTable
        by="session"
        of={{ project: null, from: null, to: null, agents: true, measure: "cost" }}
        rows={ROWS}
        total={ROWS.length}
        shown={shown}
        totals={row("")}
        order={{ sort: "cost", up: false, onSort: () => undefined }}
      />
    </UsageScroll>
  );
}

const view = (list: string) => <View list={list} />;

const drawn = () => document.querySelectorAll("tbody tr").length;
const box = () => document.querySelector("[role=region]") as HTMLElement;

it("draws rows as the reader scrolls, and as many again when the reader comes back", async () => {
  const page = drawnPage();
  await page.draw(view("one"));
  expect(drawn()).toBe(200);
  const more = document.querySelector("p button");
  expect(more?.textContent).toBe("Show 30 more of 30");
  act(() => (more as HTMLElement).click());
  expect(drawn()).toBe(230);
  act(() => {
    box().scrollTop = 4_100;
    box().dispatchEvent(new Event("scroll"));
  });
  page.leave();
  await page.draw(view("one"));
  expect([drawn(), box().scrollTop]).toEqual([230, 4_100]);
  const head = document.querySelector("thead button") as HTMLElement;
  head.focus();
  await page.draw(view("other"));
  expect(document.activeElement).toBe(head);
  expect([drawn(), box().scrollTop]).toEqual([200, 0]);
});

it("whoever comes back from a row has the focus on its link again, unless it is elsewhere by now", async () => {
  const page = drawnPage();
  await page.draw(view("three"));
  const link = () => document.querySelectorAll<HTMLElement>("tbody th a")[7] as HTMLElement;
  act(() => link().focus());
  page.leave();
  expect(document.activeElement).toBe(document.body);
  await page.draw(view("three"));
  expect(document.activeElement).toBe(link());
  // In its head the reader is at no row.
  act(() => (document.querySelector("thead button") as HTMLElement).focus());
  page.leave();
  await page.draw(view("three"));
  expect(document.activeElement).toBe(document.body);
});

it("shows in a name what would turn the rest of it", async () => {
  await drawnPage().draw(view("names"));
  expect(document.querySelector("tbody tr")?.textContent).toContain("aU+202Ecod.exe");
});
