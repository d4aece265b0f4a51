// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import { TurnBriefBlock } from "./turn-brief";

const BRIEF = {
  turn: 3,
  intent: "Run the tests",
  cwd: "/home/ada/shop",
  tools: [],
  files: [],
  commands: [{ recordId: "m~500", command: "npm test", class: "test", state: "ok" }],
  agents: [],
  durationMs: 1_000,
  usage: null,
  agentsUsage: null,
};

it("a command of a brief leads to its row each time it is clicked", async () => {
  vi.stubGlobal("fetch", async () => Response.json(BRIEF));
  window.history.replaceState(null, "", "/sessions/s");
  const goTo = vi.fn(async () => null);
  await drawnPage().draw(
    <ThreadStoreContext value={{ goTo } as never}>
      <TurnBriefBlock sessionId={"s" as SessionId} turn={3} toolCalls={1} />
    </ThreadStoreContext>,
  );
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
});

it("a refused command is no failed one", async () => {
  const ended = (recordId: string, command: string, denied?: true) => {
    return { recordId, command, class: "other", failed: true, denied, durationMs: null };
  };
  const commands = [ended("m~1", "rm -rf build", true), ended("m~2", "false")];
  vi.stubGlobal("fetch", async () => Response.json({ ...BRIEF, commands }));
  await drawnPage().draw(
    <ThreadStoreContext value={{} as never}>
      <TurnBriefBlock sessionId={"s" as SessionId} turn={3} toolCalls={2} />
    </ThreadStoreContext>,
  );
  await act(() => vi.waitFor(() => expect(document.body.textContent).toContain("other 2 1 failed 1 denied")));
  const rows = [...document.querySelectorAll("li")].map(({ textContent }) => textContent);
  expect(rows).toEqual(["deniedotherrm -rf build", "failedotherfalse"]);
});

it("a file of the turn's folder is named as in its rows, another with its whole path", async () => {
  const changed = (path: string) => ({ path, added: 1, removed: 0, calls: 1 });
  const files = [changed("/home/ada/shop/src/till.ts"), changed("/home/ada/notes.md"), changed("/etc/hosts")];
  vi.stubGlobal("fetch", async () => Response.json({ ...BRIEF, files, commands: [] }));
  await drawnPage().draw(
    <ThreadStoreContext value={{} as never}>
      <TurnBriefBlock sessionId={"s" as SessionId} turn={3} toolCalls={3} />
    </ThreadStoreContext>,
  );
  const paths = () => [...document.querySelectorAll("dd .font-mono")].map(({ textContent }) => textContent);
  await act(() => vi.waitFor(() => expect(paths()).toEqual(["src/till.ts", "~/notes.md", "/etc/hosts"])));
});

it.each([
  [0, true],
  [7, false],
])("of %i calls that an export left out it does not say that there were none", async (toolCalls, isSaid) => {
  vi.stubGlobal("fetch", async () => Response.json({ ...BRIEF, commands: [] }));
  await drawnPage().draw(
    <ThreadStoreContext value={{} as never}>
      <TurnBriefBlock sessionId={"s" as SessionId} turn={3} toolCalls={toolCalls} />
    </ThreadStoreContext>,
  );
  await act(() => vi.waitFor(() => expect(document.body.textContent).toContain("Took")));
  expect(document.body.textContent?.includes("an answer without tools")).toBe(isSaid);
});
