// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { SessionContext, type SessionContextValue } from "@/components/session/session-store";
import { parseThreadUrl, type ThreadUrl, threadSearch } from "@/lib/client/address/session-url";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { SessionRequest } from "@/lib/wire/session-requests";
import { RequestsView } from "./requests-view";

const request = (id: string, agentId: string | null): SessionRequest => ({
  recordId: id as RecordId,
  agentId: agentId as AgentId | null,
  ...{
    atMs: 0,
    model: "claude-opus-4-5",
    context: 9,
    input: 9,
    output: 1,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
  },
  ...{ window: 200_000, compactedAt: null, parts: { base: 9 }, miss: null },
});

const NOTHING = { count: 0, places: [], waitedMs: 0 };
const FACTS = { retries: NOTHING, failures: [], rereads: [], undone: [], unused: null, hooks: [] };

it("whose requests are shown, and as what, is in the address, so that a reload and Back from a row show it again", async () => {
  const page = drawnPage();
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.includes("/facts")) return Response.json(FACTS);
    if (path.includes("/agents")) return Response.json({ agents: [], nextCursor: null });
    return Response.json([request("m~1", null), request("m~2", "a1"), request("m~3", "a1")]);
  });
  let search = "?view=context";
  const draw = async () => {
    const value = {
      sessionId: "s" as SessionId,
      session: null,
      url: parseThreadUrl(search),
      setUrl: (change: Partial<ThreadUrl>) => {
        search = threadSearch(change, search);
      },
      store: {},
    } as unknown as SessionContextValue;
    await page.draw(
      <SessionContext value={value}>
        <RequestsView printed={false} />
      </SessionContext>,
    );
    await page.settle();
  };
  const choice = () => document.querySelector<HTMLSelectElement>("select[aria-label='Whose requests']");
  await draw();
  expect(choice()?.value).toBe("");
  await act(async () => {
    const select = choice() as HTMLSelectElement;
    select.value = "a1";
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
  const looks = () => [...document.querySelectorAll("button[aria-pressed]")] as HTMLButtonElement[];
  const pressed = () => looks().find((one) => one.matches("[aria-pressed=true]"))?.textContent;
  expect(pressed()).toBe("Chart");
  await draw();
  await act(async () =>
    looks()
      .find((one) => one.textContent === "Table")
      ?.click(),
  );
  page.leave();
  await draw();
  expect([choice()?.value, document.body.textContent?.includes("2 requests")]).toEqual(["a1", true]);
  expect([pressed(), document.querySelectorAll("table").length]).toEqual(["Table", 1]);
});

it("on a sheet, which is laid out by the printer alone, the chart has the width of paper", async () => {
  const page = drawnPage();
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.includes("/facts") ? FACTS : [request("m~1", null)]),
  );
  const value = {
    sessionId: "s" as SessionId,
    session: null,
    url: parseThreadUrl("?view=context"),
    store: {},
  } as unknown as SessionContextValue;
  await page.draw(
    <SessionContext value={value}>
      <RequestsView printed />
    </SessionContext>,
  );
  await page.settle();
  const sheet = document.querySelector("[data-print-sheet]");
  expect(sheet?.querySelectorAll("[aria-label='Context by request'] [data-bar]")).toHaveLength(1);
});
