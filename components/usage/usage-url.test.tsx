// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { UsageBy } from "@/lib/wire/usage";
import { useUsage, useUsageUrl } from "./usage-url";

/** What was asked of the usage, by its path; answers wait until the test gives them. */
let asked: { query: string; answer: () => void }[] = [];

beforeEach(() => {
  asked = [];
  window.history.replaceState(null, "", "/usage");
  vi.stubGlobal("fetch", async (path: string) => {
    const url = new URL(path, "http://127.0.0.1:4747");
    if (url.pathname === "/api/health") return Response.json({ indexing: { done: true } });
    if (url.pathname !== "/api/usage") throw new Error(`${path} is not asked for here`);
    url.searchParams.delete("zone");
    await new Promise<void>((answer) => asked.push({ query: url.searchParams.toString(), answer }));
    return Response.json({
      by: url.searchParams.get("by"),
      told: url.searchParams.get("from"),
      complete: true,
    });
  });
});

type Choice = Parameters<ReturnType<typeof useUsageUrl>[1]>[0];

/** The usage of the address: of which day on its answer is. A press on it makes a choice. */
function Shown({ by = "day", choice = {} }: { by?: UsageBy; choice?: Choice }) {
  const [, choose] = useUsageUrl();
  const { data } = useUsage(by, 50);
  return (
    <button type="button" onClick={() => void choose(choice)}>
      {data ? `from ${(data as unknown as { told: string }).told}` : "loading"}
    </button>
  );
}

const button = () => document.querySelector("button");
const press = () => act(async () => button()?.click());
const isShown = (text: string) => until(() => expect(button()?.textContent).toBe(text));
const queries = () => asked.map(({ query }) => query);

it("asks for the days, the project and the threads that the address has, agents included by itself", async () => {
  window.history.replaceState(
    null,
    "",
    "/usage?from=2026-01-01&to=2026-01-31&project=p1&agents=false&up=true",
  );
  const page = drawnPage();
  await page.draw(<Shown choice={{ agents: null, project: null, to: null }} />);
  await until(() => expect(queries()).toEqual(["by=day&from=2026-01-01&to=2026-01-31&project=p1&limit=50"]));
  await press();
  await until(() =>
    expect(queries()).toEqual([asked[0]?.query ?? "", "by=day&from=2026-01-01&agents=1&limit=50"]),
  );
});

it("shows what was there while another range is asked for, but not sums of other things", async () => {
  const page = drawnPage();
  await page.draw(<Shown choice={{ from: "2026-01-05" }} />);
  await until(() => expect(queries()).toEqual(["by=day&agents=1&limit=50"]));
  await isShown("loading");
  asked[0]?.answer();
  await isShown("from null");
  await press();
  await until(() =>
    expect(queries()).toEqual(["by=day&agents=1&limit=50", "by=day&from=2026-01-05&agents=1&limit=50"]),
  );
  await isShown("from null");
  asked[1]?.answer();
  await isShown("from 2026-01-05");
  await page.draw(<Shown by="model" />);
  await isShown("loading");
});

it("takes a choice that there is not for the one that is made by itself", async () => {
  window.history.replaceState(null, "", "/usage?view=other&by=hour&measure=miles&sort=none&cause=luck");
  const chosen: unknown[] = [];
  function Chosen() {
    chosen.push(useUsageUrl()[0]);
    return null;
  }
  await drawnPage().draw(<Chosen />);
  const none = { from: null, to: null, project: null, sort: null, cause: null, order: "cost" };
  expect(chosen.at(-1)).toEqual({
    ...none,
    view: "sums",
    by: "day",
    agents: true,
    measure: "cost",
    up: false,
  });
});
