// @vitest-environment page
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { Markdown } from "@/components/content/markdown/markdown";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { RecordId } from "@/lib/wire/ids";
import { draftOf } from "./comment-draft";

const PLACE = { recordId: "m~1" as RecordId, block: 0 };

async function aboutRow(row: ReactNode): Promise<string> {
  await drawnPage().draw(
    <article data-record-id={PLACE.recordId} data-block={PLACE.block}>
      {row}
    </article>,
  );
  return draftOf(PLACE).about;
}

it("a comment on an answer says how that begins, also where code stands in it", async () => {
  const answer = "I look at **the cart**.\n\n- one\n- two\n\n```\nconst a = 1;\n```";
  expect(await aboutRow(<Markdown text={answer} />)).toMatch(/^I look at the cart\. one two const a = 1;/);
});

it("a comment on a prompt says its first line, and nothing that the page says beside it", async () => {
  const row = (
    <>
      <button type="button">Fold turn 3</button>
      <h2>
        <span data-log="none">undone</span>
        Fix the flaky test
      </h2>
      <Markdown text="It fails every other time." />
    </>
  );
  expect(await aboutRow(row)).toBe("Fix the flaky test");
});

it("a comment on a call says what that is about", async () => {
  const row = (
    <>
      <span>Bash</span>
      <span data-log="input">npm test</span>
      <span data-log="output">ok</span>
    </>
  );
  expect(await aboutRow(row)).toBe("npm test");
});
