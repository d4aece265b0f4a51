// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { SessionContext } from "@/components/session/session-store";
import { parseThreadUrl } from "@/lib/client/address/session-url";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import type { RecordId } from "@/lib/wire/ids";
import { RecordPane } from "./record-pane";

vi.mock("@/components/annotations/row-annotations", () => ({ RecordMarks: () => null }));

const setUrl = vi.fn();

function draw(page: DrawnPage, kind: "record" | "context", search: string): Promise<void> {
  const url = parseThreadUrl(search);
  const session = { sessionId: "s", session: null, url, setUrl, store: { panes: {} } };
  return page.draw(
    <SessionContext value={session as never}>
      <ThreadContext value={{} as never}>
        <RecordPane kind={kind} recordId={"m~1" as RecordId} onClose={() => undefined} />
      </ThreadContext>
    </SessionContext>,
  );
}

it("an address says whether a record is shown by its facts or raw", async () => {
  vi.stubGlobal("fetch", async () => new Promise(() => undefined));
  const page = drawnPage();
  const tabs = () => [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
  const chosen = () =>
    tabs().find((tab) => tab.ariaSelected === "true" || tab.getAttribute("aria-selected") === "true")
      ?.textContent;
  const choose = (at: number) =>
    act(
      async () => void tabs()[at]?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, button: 0 })),
    );
  await draw(page, "record", "?panes=record:m~1&record=raw");
  expect(chosen()).toBe("Raw");
  await choose(0);
  expect(setUrl).toHaveBeenLastCalledWith({ record: null });
  await draw(page, "record", "?panes=record:m~1");
  expect(chosen()).toBe("Record");
  await choose(1);
  expect(setUrl).toHaveBeenLastCalledWith({ record: "raw" });
});

it.each([
  ["record", "Line1 byte 11"],
  ["context", "Rebuilt from the records"],
] as const)(
  "a %s of a log that was written anew without it is shown no more, and again where it is there again",
  async (kind, words) => {
    const record = {
      ...{ recordId: "m~1", type: "user", atMs: null, unreadable: null, version: null, parent: null },
      ...{ at: { file: "s.jsonl", line: 1, offset: 11, length: 9 }, uuid: null, children: [], json: {} },
    };
    const shares = { system: 0, tools: 0, memory: 0, reminders: 0, files: 0, toolOutput: 0, conversation: 0 };
    const messages = { at: "m~1", messages: [], charsAToken: 4, shares, source: "rebuilt", tokens: null };
    const error = { code: "record-not-found", message: "There is no such record", hint: "" };
    let isThere = true;
    vi.stubGlobal("fetch", async (path: string) =>
      isThere
        ? Response.json(path.includes("/messages") ? messages : record)
        : Response.json({ error }, { status: 404 }),
    );
    const page = drawnPage();
    const shown = () => document.body.textContent;
    const written = async (anew: boolean) => {
      isThere = anew;
      await act(() => page.client.invalidateQueries());
      await page.settle();
    };
    await draw(page, kind, "");
    await page.settle();
    expect(shown()).toContain(words);
    await written(false);
    expect(shown()).toContain("There is no such record");
    expect(shown()).not.toContain(words);
    await written(true);
    expect(shown()).toContain(words);
  },
);
