// @vitest-environment page
import { act } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { CodeBlock } from "@/components/content/code/code-block";
import { ThreadContext } from "@/components/content/row-actions";
import { OpenedBlock } from "@/components/thread/opened-block";
import { LinkedLines } from "@/components/thread/store/linked-lines";
import { drawnPage } from "@/lib/testing/drawn-page";

const TEXT = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join("\n");
const ROW = { key: "m~10.0", kind: "tool", recordId: "m~10", block: 0, turn: 1, atMs: 1, shows: [] };

let scrolled: string[] = [];

afterEach(() => {
  vi.restoreAllMocks();
});

/** An opened row in the page. Resolves to what takes it out again, when what it scrolls has come to rest. */
async function show(linkedLines: LinkedLines): Promise<() => void> {
  const page = drawnPage();
  await page.draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0, linkedLines } as never}>
      <OpenedBlock row={ROW as never} facts="">
        <CodeBlock text={TEXT} firstLine={1} language={null} />
      </OpenedBlock>
    </ThreadContext.Provider>,
  );
  await act(() => new Promise((resolve) => setTimeout(resolve, 400)));
  return page.leave;
}

it("a line that a link names is scrolled to once, and not again whenever its row comes back into the page", async () => {
  vi.stubGlobal("fetch", async () => Response.json({}));
  scrolled = [];
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    scrolled.push(this.textContent ?? "");
  });
  window.history.replaceState(null, "", "/sessions/s?at=m~10:L20-22");
  const thread = new LinkedLines();
  const leave = await show(thread);
  expect(scrolled).toEqual(["20line 20"]);
  leave();
  (await show(thread))();
  expect(scrolled).toHaveLength(1);
  // Another link is another place.
  window.history.replaceState(null, "", "/sessions/s?at=m~10:L30");
  (await show(thread))();
  expect(scrolled).toEqual(["20line 20", "30line 30"]);
});
