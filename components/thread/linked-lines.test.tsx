// @vitest-environment page
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CodeBlock } from "@/components/content/code/code-block";
import { ThreadContext } from "@/components/content/row-actions";
import { OpenedBlock } from "@/components/thread/opened-block";
import { LinkedLines } from "@/components/thread/store/linked-lines";
import { drawnPage } from "@/lib/testing/drawn-page";

const TEXT = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join("\n");
const ROW = { key: "m~10.0", kind: "tool", recordId: "m~10", block: 0, turn: 1, atMs: 1, shows: [] };

let scrolled: string[] = [];

/** What waits for the next frame, by its number. */
const waiting = new Map<number, () => void>();
let asked = 0;

beforeEach(() => {
  waiting.clear();
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => {
    asked += 1;
    waiting.set(asked, run);
    return asked;
  });
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => waiting.delete(frame));
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets frames pass until nothing waits for one. */
function passFrames(): void {
  while (waiting.size > 0) {
    const due = [...waiting.values()];
    waiting.clear();
    for (const run of due) run();
  }
}

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
  act(passFrames);
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
  // So it is where a link leads to an agent's thread beside the page's own.
  window.history.replaceState(null, "", "/sessions/s?at=m~3.0&paneAt=a1@m~10.0:L40");
  (await show(thread))();
  expect(scrolled.slice(2)).toEqual(["40line 40"]);
});
