// @vitest-environment page
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { Markdown } from "@/components/content/markdown/markdown";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { RecordId } from "@/lib/wire/ids";
import { draftOf, draftOfSelection } from "./comment-draft";

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

it("a comment on a row that is not drawn yet says what is known of it", () => {
  expect(draftOf(PLACE, "Edit src/cart.ts").about).toBe("Edit src/cart.ts");
  expect(draftOf(PLACE).about).toBe("The selected row");
});

/** A call's change of a file as the view of all changes draws it. */
function change() {
  return (
    <div data-change="m~1.2">
      <div data-log="none">turn 4 Edit</div>
      <div data-file="/home/dev/shop/cart.ts">
        <code data-line="7">const a = 1;</code>
        <code data-line="8">const b = 2;</code>
      </div>
    </div>
  );
}

it("a comment on a change among all changes is on the call that made it", async () => {
  await drawnPage().draw(change());
  expect(draftOf({ recordId: PLACE.recordId, block: 2 })).toMatchObject({
    ...{ recordId: "m~1", block: 2, selected: null, about: "/home/dev/shop/cart.ts" },
  });
});

it("text that is selected in a change is quoted with its line, what the page says of it is not", async () => {
  await drawnPage().draw(change());
  const select = (element: Element | null) => window.getSelection()?.selectAllChildren(element as Element);
  // No layout here.
  Range.prototype.getBoundingClientRect ??= () => new DOMRect();
  select(document.querySelector("[data-line='8']"));
  expect(draftOfSelection()?.draft).toMatchObject({
    ...{ recordId: "m~1", block: 2, selected: { text: "const b = 2;" } },
    lines: { path: "/home/dev/shop/cart.ts", from: 8, to: 8, before: false },
  });
  select(document.querySelector("[data-log='none']"));
  expect(draftOfSelection()).toBe(null);
});
