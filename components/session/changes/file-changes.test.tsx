// @vitest-environment page
import { expect, it, vi } from "vitest";
import { type ThreadActions, ThreadContext } from "@/components/content/row-actions";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { FileChanges } from "./changed-files";
import { ChangesOfFile } from "./file-changes";

it("the change to which a link led is marked, and no other of the file", async () => {
  vi.stubGlobal("fetch", async (url: string) => {
    const [, recordId = ""] = /(m~\d)/.exec(decodeURIComponent(url)) ?? [];
    const diff = { path: "a.ts", change: "created", hunks: [], added: 1, removed: 0, text: null };
    return Response.json({ recordId, block: 0, name: "Write", diffs: [diff], results: [], later: [] });
  });
  const changes = [1, 2, 3].map((nth) => ({
    recordId: `m~${nth}`,
    block: 0,
    turn: nth,
    added: 1,
    removed: 0,
  }));
  const file = { path: "a.ts", changes } as unknown as FileChanges;
  const page = drawnPage();
  await page.draw(
    <ThreadContext value={{ sessionId: "s" } as unknown as ThreadActions}>
      <ChangesOfFile file={file} net={false} linked="m~2.0" />
    </ThreadContext>,
  );
  await page.settle();
  const shown = [...document.querySelectorAll("[data-change]")];
  expect(shown.map((one) => [one.getAttribute("data-change"), one.getAttribute("aria-current")])).toEqual([
    ["m~1.0", null],
    ["m~2.0", "location"],
    ["m~3.0", null],
  ]);
});
