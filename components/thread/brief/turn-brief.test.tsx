// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/react";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import type { SessionId } from "@/lib/wire/ids";
import { TurnBriefBlock } from "./turn-brief";

const BRIEF = {
  turn: 3,
  intent: "Run the tests",
  tools: [],
  files: [],
  commands: [{ recordId: "m~500", command: "npm test", class: "test", state: "ok" }],
  agents: [],
  durationMs: 1_000,
  usage: null,
  agentsUsage: null,
};

it("a command of a brief leads to its row each time it is clicked", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async () => Response.json(BRIEF));
  window.history.replaceState(null, "", "/sessions/s");
  document.body.innerHTML = "<div></div>";
  const root = createRoot(document.body.firstElementChild as HTMLElement);
  const goTo = vi.fn(async () => null);
  const page = (
    <QueryClientProvider client={new QueryClient()}>
      <NuqsAdapter>
        <ThreadStoreContext value={{ goTo } as never}>
          <TurnBriefBlock sessionId={"s" as SessionId} turn={3} />
        </ThreadStoreContext>
      </NuqsAdapter>
    </QueryClientProvider>
  );
  await act(async () => root.render(page));
  const command = () =>
    [...document.querySelectorAll("button")].find((one) => one.textContent?.includes("npm test"));
  await act(() =>
    vi.waitFor(() => {
      if (!command()) throw new Error("no brief yet");
    }),
  );
  await act(async () => command()?.click());
  // The address is written, which the page follows.
  await act(() => vi.waitFor(() => expect(window.location.search).toContain("at=m~500")));
  expect(goTo).not.toHaveBeenCalled();
  // The reader scrolls away, which changes nothing of it.
  await act(async () => command()?.click());
  expect(goTo).toHaveBeenCalledWith({ record: "m~500" });
  act(() => root.unmount());
});
