// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { SessionContext } from "@/components/session/session-store";
import { parseThreadUrl } from "@/lib/client/address/session-url";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { RecordId } from "@/lib/wire/ids";
import { RecordPane } from "./record-pane";

vi.mock("@/components/annotations/row-annotations", () => ({ RecordMarks: () => null }));

it("an address says whether a record is shown by its facts or raw", async () => {
  vi.stubGlobal("fetch", async () => new Promise(() => undefined));
  const page = drawnPage();
  const setUrl = vi.fn();
  const draw = (search: string) =>
    page.draw(
      <SessionContext
        value={
          {
            sessionId: "s",
            session: null,
            url: parseThreadUrl(search),
            setUrl,
            store: { panes: {} },
          } as never
        }
      >
        <ThreadContext value={{} as never}>
          <RecordPane kind="record" recordId={"m~1" as RecordId} onClose={() => undefined} />
        </ThreadContext>
      </SessionContext>,
    );
  const tabs = () => [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
  const chosen = () =>
    tabs().find((tab) => tab.ariaSelected === "true" || tab.getAttribute("aria-selected") === "true")
      ?.textContent;
  const choose = (at: number) =>
    act(
      async () => void tabs()[at]?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, button: 0 })),
    );
  await draw("?panes=record:m~1&record=raw");
  expect(chosen()).toBe("Raw");
  await choose(0);
  expect(setUrl).toHaveBeenLastCalledWith({ record: null });
  await draw("?panes=record:m~1");
  expect(chosen()).toBe("Record");
  await choose(1);
  expect(setUrl).toHaveBeenLastCalledWith({ record: "raw" });
});
