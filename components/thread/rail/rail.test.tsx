// @vitest-environment page
import { act } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { useAgents } from "@/components/session/use-agents";
import { api } from "@/lib/client/api";
import { ApiError, UNREACHABLE } from "@/lib/client/connection/api-error";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { Rail, RailBelow } from "./rail";
import { RailRowContext } from "./rail-node";

const ID = "s" as SessionId;

/** As the API lists them: in the order in which they appeared. */
const AGENTS = [
  { agentId: "a1", parentAgentId: null, description: "first" },
  { agentId: "a2", parentAgentId: null, description: "second" },
  { agentId: "a3", parentAgentId: "a1", description: "of the first" },
].map((agent) => ({ ...agent, state: "done", toolCalls: 1, tokens: 0, durationMs: null, type: null }));

/** Lists them as the outline does, each behind the one that started it. */
function Outline() {
  return useAgents(ID)
    .data?.agents.map(({ description }) => description)
    .join(", ");
}

test.each([true, false])("a lane is named after its own agent (beside the outline: %s)", async (isBeside) => {
  const asked = vi.spyOn(api, "agents").mockResolvedValue({ agents: AGENTS, nextCursor: null } as never);
  onTestFinished(() => asked.mockRestore());
  const { draw, settle } = drawnPage();
  const actions = { sessionId: ID, lane: 0, toRow: () => undefined };
  await draw(
    <ThreadContext.Provider value={actions as never}>
      {isBeside && <Outline />}
      <RailRowContext.Provider value={{ lanes: [[2, 0, 0, 0, 1]], turnMs: null } as never}>
        <Rail node={{ shape: "tool" }} />
      </RailRowContext.Provider>
    </ThreadContext.Provider>,
  );
  await settle();
  const lane = document.querySelector('[title^="Agent running"]');
  act(() => void lane?.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })));
  await settle();
  expect(lane?.getAttribute("title")).toMatch(/^second\n/);
});

test("a lane is named after what is known of its agent now, and by no name where nobody answers", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const asked = vi.spyOn(api, "agents");
  onTestFinished(() => {
    vi.useRealTimers();
    process.off("unhandledRejection", unhandled);
    asked.mockRestore();
  });
  const { draw, settle } = drawnPage();
  await draw(
    <ThreadContext.Provider value={{ sessionId: ID, lane: 0, toRow: () => undefined } as never}>
      <RailRowContext.Provider value={{ lanes: [[2, 0, 0, 0, 1]], turnMs: null } as never}>
        <Rail node={{ shape: "tool" }} />
      </RailRowContext.Provider>
    </ThreadContext.Provider>,
  );
  const lane = document.querySelector('[title^="Agent running"]');
  const hover = async () => {
    act(() => void lane?.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })));
    await settle();
    act(() => void lane?.dispatchEvent(new PointerEvent("pointerout", { bubbles: true })));
    vi.setSystemTime(Date.now() + 60_000);
  };
  asked.mockRejectedValueOnce(new ApiError(0, UNREACHABLE));
  await hover();
  expect(unhandled).not.toHaveBeenCalled();
  asked.mockResolvedValueOnce({ agents: AGENTS.slice(0, 1), nextCursor: null } as never);
  await hover();
  expect(lane?.getAttribute("title")).toMatch(/^Agent running\n/);
  asked.mockResolvedValueOnce({ agents: AGENTS, nextCursor: null } as never);
  await hover();
  expect(lane?.getAttribute("title")).toMatch(/^second\ndone/);
});

test("below a row the spine goes on with the lanes of agents that are still out, and not behind a branch's end", async () => {
  const { draw } = drawnPage();
  const lanes: Row["lanes"] = [
    [1, 0, 0, 0, 0],
    [2, 1, 1, 5, 1],
  ];
  const below = (row: object) =>
    draw(
      <ThreadContext.Provider value={{ sessionId: ID, lane: 0, toRow: () => undefined } as never}>
        <section>
          <RailBelow row={row as Row} />
        </section>
      </ThreadContext.Provider>,
    );
  const rail = () => document.querySelector("section > div");
  const passing = () => [...document.querySelectorAll<HTMLElement>("section [style*=bottom]")].length;
  await below({ kind: "tool", lanes });
  expect(rail()?.className).toContain("spine");
  expect([passing(), document.querySelectorAll("section svg").length]).toEqual([2, 0]);
  // One has returned, another has left and is seen no more.
  await below({
    kind: "tool",
    lanes: [
      [1, 0, 2, 0, 0],
      [2, 1, 3, 5, 1],
    ],
  });
  expect(rail()?.className).toContain("spine");
  expect(passing()).toBe(0);
  const branches = (endsHere: boolean) => [{ id: "b", current: true, endsHere }];
  await below({ kind: "fork", branches: branches(false) });
  expect(rail()?.className).toContain("spine");
  await below({ kind: "fork", branches: branches(true) });
  expect(rail()?.className).toBe("");
});

test("agents without a column of their own are counted, and of those that leave at once the last is drawn", async () => {
  const { draw } = drawnPage();
  const beside = (rail: object) =>
    draw(
      <ThreadContext.Provider value={{ sessionId: ID, lane: 0, toRow: () => undefined } as never}>
        <RailRowContext.Provider value={{ turnMs: null, ...rail }}>
          <Rail node={{ shape: "text" }} />
        </RailRowContext.Provider>
      </ThreadContext.Provider>,
    );
  const count = () => document.querySelector('[title$="more agents running"]');
  const columns: Row["lanes"] = [
    [1, 0, 0, 1, 0],
    [2, 1, 0, 2, 1],
  ];
  await beside({ lanes: columns });
  expect(count()).toBe(null);
  // The second column is where they are counted, with the agent that has it.
  await beside({ lanes: columns, passing: 1_998 });
  expect([count()?.getAttribute("title"), count()?.textContent]).toEqual(["1,999 more agents running", "2k"]);
  expect(document.querySelectorAll('[title^="Agent running"]').length).toBe(1);
  const leaving = Array.from({ length: 500 }, (_, index) => [3, 2, 1, 9, index + 2] as const);
  await beside({ lanes: [...columns, ...leaving] });
  expect(count()?.getAttribute("title")).toBe("501 more agents running");
  expect(document.querySelectorAll('[title^="Agent running"]').length).toBe(2);
});
