// @vitest-environment page
import { expect, it } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { drawnPage } from "@/lib/testing/drawn-page";
import { AgentLine, AgentLines } from "./agent-line";

it("an agent that was stopped is called so in its line and in what the pointer shows of it", async () => {
  const agent = {
    ...{ agentId: "a1", type: "Explore", description: "find callers", depth: 1, lane: 1 },
    ...{ state: "interrupted", toolCalls: 3, tokens: 0, startedAtMs: 1, durationMs: 31_000 },
  };
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0 } as never}>
      <AgentLine agent={agent as never} current={false} onGo={() => undefined} />
    </ThreadContext.Provider>,
  );
  expect(document.body.textContent).toContain("stopped31 s");
  expect(document.querySelector("[title]")?.getAttribute("title")).toBe(
    "Explore: find callers\nstopped · 3 tools · 31 s",
  );
});

it("of thousands of agents those off screen take no part in a frame, and all are there", async () => {
  const agents = Array.from({ length: 120 }, (_, index) => ({ agentId: `a${index}` }));
  const { draw } = drawnPage();
  const drawn = (count: number) =>
    draw(
      <AgentLines>
        {agents.slice(0, count).map(({ agentId }) => (
          <button key={agentId}>{agentId}</button>
        ))}
      </AgentLines>,
    );
  const parts = () => [...document.querySelectorAll('[class="[content-visibility:auto]"]')];
  await drawn(50);
  expect(parts()).toEqual([]);
  await drawn(120);
  expect(parts().map((part) => part.childElementCount)).toEqual([50, 50, 20]);
  expect([...document.querySelectorAll("button")].map((one) => one.textContent)).toEqual(
    agents.map(({ agentId }) => agentId),
  );
});
