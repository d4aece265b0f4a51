// @vitest-environment page
import { expect, it } from "vitest";
import { parseThreadUrl, type ThreadUrl } from "@/lib/client/address/session-url";
import { FakeServer, many, opened } from "@/lib/testing/fake-thread";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import { SessionStore } from "./session-store";

const AGENT = "a1" as AgentId;
const OTHER = "a2" as AgentId;

/** A page with two agents' panes, in which the reader has scrolled its own thread to its eighth row. */
async function pageWithPanes() {
  const [main, beside] = [
    await opened(new FakeServer({ tools: many(60) })),
    await opened(new FakeServer({ tools: many(60) })),
  ];
  window.history.replaceState(null, "", `/sessions/s?panes=agent:${OTHER},agent:${AGENT}`);
  let url: ThreadUrl = parseThreadUrl(window.location.search);
  const set = (change: Partial<ThreadUrl>) => void (url = { ...url, ...change });
  const page = new SessionStore(main.store, { get: () => url, set });
  main.list.first = 7;
  return { page, beside: beside.store };
}

const placeOf = (href: string) => {
  const { at, agent, panes, paneAt, open } = parseThreadUrl(new URL(href).search);
  return { at, agent, panes, paneAt, open };
};

it("a link to a row of an agent's thread beside the page's own leads there, and leaves the other where it is", async () => {
  const { page, beside } = await pageWithPanes();
  const recordId = "m~9" as RecordId;
  const { linkTo } = page.linksBeside(AGENT, beside);
  const shown = { agent: null, panes: `agent:${OTHER},agent:${AGENT}`, at: "m~8.0" };
  expect(placeOf(linkTo({ recordId, block: 0 }))).toEqual({
    ...shown,
    paneAt: `${AGENT}@m~9.0`,
    open: null,
  });
  beside.toggleOpen("m~9.0");
  expect(placeOf(linkTo({ recordId, block: 0 })).open).toBe("m~9.0");
  // Lines open their row by themselves.
  expect(placeOf(linkTo({ recordId, block: 0 }, ":L3-5"))).toEqual({
    ...shown,
    paneAt: `${AGENT}@m~9.0:L3-5`,
    open: null,
  });
});
