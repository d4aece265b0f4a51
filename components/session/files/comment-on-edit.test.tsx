// @vitest-environment page
import { expect, it, vi } from "vitest";
import { RowAnnotationsContext } from "@/components/annotations/row-annotations";
import { SessionContext } from "@/components/session/session-store";
import { Toaster } from "@/components/ui/toast";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { BlameRange } from "@/lib/wire/files";
import { useCommentOnEdit } from "./comment-on-edit";

const EDIT = { recordId: "m~1k9", block: 1, tool: "Edit", how: "wrote" } as BlameRange;

async function commenting(mayComment: boolean) {
  const [leaveForStep, comment] = [vi.fn(), vi.fn()];
  let commentOn: ReturnType<typeof useCommentOnEdit> = null;
  function Line() {
    commentOn = useCommentOnEdit("src/cart.js");
    return null;
  }
  const page = drawnPage();
  await page.draw(
    <SessionContext value={{ store: { views: { leaveForStep } } } as never}>
      <RowAnnotationsContext value={mayComment ? ({ comment } as never) : null}>
        <Line />
        <Toaster />
      </RowAnnotationsContext>
    </SessionContext>,
  );
  return { leaveForStep, comment, commentOn: () => commentOn };
}

it("a comment on a line of a version begins on the edit that wrote it, beside that in the thread", async () => {
  const { leaveForStep, comment, commentOn } = await commenting(true);
  commentOn()?.(EDIT);
  expect(leaveForStep).toHaveBeenCalledExactlyOnceWith(EDIT);
  const row = { key: "m~1k9.1", recordId: "m~1k9", block: 1 };
  expect(comment).toHaveBeenCalledExactlyOnceWith(row, "Edit src/cart.js");
  expect(leaveForStep).toHaveBeenCalledBefore(comment);
});

it("who may not comment is offered none", async () => {
  expect((await commenting(false)).commentOn()).toBeNull();
});
