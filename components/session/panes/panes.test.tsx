// @vitest-environment page
import { act, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { RECORD_PANES } from "@/components/session/session-parts";
import { SessionContext } from "@/components/session/session-store";
import { parseThreadUrl, threadChoice } from "@/lib/client/address/session-url";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import { Panes } from "./panes";

/** A pane with something that its reader has done in it. */
function Pane({ name }: { name: string }) {
  const [times, setTimes] = useState(0);
  return <button type="button" onClick={() => setTimes(times + 1)}>{`${name} ${times}`}</button>;
}

vi.mock("@/components/session/comments/comments-pane", () => ({
  CommentsPane: () => <textarea aria-label="Comment" />,
}));
vi.mock("@/components/session/context/context-pane", () => ({ ContextPane: () => <Pane name="context" /> }));
vi.mock("@/components/session/inspector/inspector", () => ({ Inspector: () => <Pane name="inspector" /> }));
vi.mock("@/components/session/outline/outline", () => ({ FileList: () => null }));
vi.mock("./agent-pane", () => ({ AgentPane: () => <Pane name="agent" /> }));
vi.mock("./pane-frame", () => ({ PaneFrame: () => null }));

let page: DrawnPage;

beforeEach(async () => {
  await RECORD_PANES.load();
  page = drawnPage();
});

/** Opens these panes, and closes others. */
async function show(panes: string): Promise<void> {
  const url = parseThreadUrl(`?panes=${panes}`);
  const session = {
    sessionId: "s",
    session: null,
    url,
    choice: threadChoice(url, "tools", true),
    store: { panes: {} },
  };
  await page.draw(
    <SessionContext value={session as never}>
      <Panes />
    </SessionContext>,
  );
}

const texts = () => [...document.querySelectorAll("button")].map(({ textContent }) => textContent);
const widths = () =>
  [...document.querySelectorAll<HTMLElement>("[style*=width]")].map(({ style }) => style.width);

it("what is being written or looked at in a pane stays when a context is opened beside it, and when that is closed", async () => {
  await show("record:m~10,comments");
  const field = document.querySelector("textarea");
  if (field) field.value = "This drops the last item";
  act(() => document.querySelector("button")?.click());
  const narrow = widths();
  await show("record:m~10,comments,context:m~20");
  expect(widths()).not.toEqual(narrow);
  expect(texts()).toEqual(["inspector 1", "context 0"]);
  await show("record:m~10,comments,agent:a1");
  expect(widths()).toContain(narrow[0]);
  expect(texts()).toEqual(["agent 0", "inspector 1"]);
  expect(document.querySelector("textarea")?.value).toBe("This drops the last item");
});

it("the edge of a column stands in the landmark of what it makes wider", async () => {
  await show("record:m~10,agent:a1");
  const edges = [...document.querySelectorAll<HTMLElement>('[role="separator"]')];
  const marks = edges.map((edge) => [
    edge.ariaLabel ?? edge.getAttribute("aria-label"),
    edge.closest("section[aria-label]")?.getAttribute("aria-label"),
  ]);
  expect(marks).toEqual([
    ["Width of the agents", "Agents beside the thread"],
    ["Width of the facts", "Facts beside the thread"],
  ]);
});
