// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { type ThreadActions, ThreadContext } from "@/components/content/row-actions";
import { setToken } from "@/lib/client/connection/token";
import { drawnPage } from "@/lib/testing/drawn-page";
import { ThinkingRowView } from "./text-rows";

const THOUGHT = {
  ...{ key: "k", recordId: "m~1", atMs: null, durationMs: null, kind: "thinking", redacted: false },
  text: { text: "", cut: false, length: 0 },
} as never;

/** What the row of an empty thought says to whoever has this link; to the owner without one. */
async function saidTo(
  without: readonly string[] | null,
  actions: Partial<ThreadActions> = {},
): Promise<string | undefined> {
  vi.stubGlobal("fetch", async () =>
    Response.json({
      access: { kind: "share", sessionId: "s", redacted: true, comments: false, expiresAtMs: 4e12, without },
      ...{ warnings: [], indexing: { done: true } },
    }),
  );
  act(() => setToken(without ? "share~0123456789abcdef" : "0123456789abcdef"));
  const page = drawnPage();
  await page.draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0, ...actions } as never}>
      <ThinkingRowView row={THOUGHT} open={false} selected={false} />
    </ThreadContext.Provider>,
  );
  await page.settle();
  const said = document.querySelector("[data-log=none]")?.textContent ?? undefined;
  page.leave();
  return said;
}

it("an empty thought says that a link leaves thoughts out, and else that the log has none", async () => {
  expect(await saidTo(["thinking"])).toBe("left out of this link");
  expect(await saidTo([])).toBe("not in the log");
  expect(await saidTo(null)).toBe("not in the log");
});

it("a file that was exported by a link without thoughts says so too", async () => {
  expect(await saidTo(null, { lacksThinking: true })).toBe("left out of the link that was exported");
  expect(await saidTo(null, { lacksThinking: false })).toBe("not in the log");
});
