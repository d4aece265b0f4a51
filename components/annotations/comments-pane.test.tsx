// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Annotation } from "@/lib/wire/annotations";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { CommentList } from "./comments-pane";
import { Composer } from "./composer";
import { UnsentComments, UnsentContext } from "./unsent-comments";

const comment = (nth: number) =>
  ({
    ...{
      id: `c${nth}`,
      kind: "comment",
      body: `comment ${nth}`,
      author: null,
      replyTo: null,
      state: "anchored",
    },
    ...{ createdAtMs: 0, editedAtMs: null, resolvedAtMs: null, sentAtMs: null, revision: 1, range: null },
    target: {
      sessionId: "s",
      projectId: null,
      recordId: `m~${(nth + 40).toString(36)}`,
      block: null,
      quote: null,
    },
  }) as unknown as Annotation;

it("draws fifty of thousands of comments, those around the one that is shown, until more are wanted", async () => {
  const annotations = Array.from({ length: 3_000 }, (_, nth) => comment(nth));
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(() => undefined);
  const page = drawnPage();
  const unsent = new UnsentComments("s");
  const draw = (shown: string | null) =>
    page.draw(
      <UnsentContext value={unsent}>
        <CommentList
          {...{ sessionId: "s" as SessionId, guest: null, annotations, isPending: false, error: null }}
          beside="thread"
          shown={shown as RecordId | null}
          onGo={() => undefined}
          onChanged={() => undefined}
        />
      </UnsentContext>,
    );
  const drawn = () =>
    [...(document.body.textContent ?? "").matchAll(/comment (\d+)/g)].map(([, nth]) => Number(nth));
  await draw(null);
  expect([drawn().at(0), drawn().at(-1)]).toEqual([0, 49]);
  expect(document.querySelectorAll("*").length).toBeLessThan(3_500);
  const press = (name: string) =>
    act(async () =>
      [...document.querySelectorAll("button")].find((one) => one.textContent === name)?.click(),
    );
  await press("Show 50 more of 2,950 behind");
  expect(drawn().at(-1)).toBe(99);
  await draw(comment(2_021).target.recordId);
  expect(drawn()).toContain(2_021);
  expect(drawn().at(0)).toBe(2_000);
  await press("Show 50 more of 2,000 before");
  expect(drawn().at(0)).toBe(1_950);
});

it.each([
  ["a row of the thread", "static", "ARTICLE"],
  ["the comments where they cover the thread", "absolute", "SECTION"],
] as const)("what had the focus in a comment that has gone gives it to %s", async (_, position, part) => {
  const page = drawnPage();
  const unsent = new UnsentComments("s");
  const draw = (annotations: Annotation[]) =>
    page.draw(
      <UnsentContext value={unsent}>
        <main>
          <article aria-posinset={1} aria-setsize={1} tabIndex={0}>
            A row
          </article>
        </main>
        <section aria-label="Comments" tabIndex={-1} style={{ position }}>
          <CommentList
            {...{ sessionId: "s" as SessionId, guest: null, annotations, isPending: false, error: null }}
            {...{ beside: "thread", shown: null, onGo: vi.fn(), onChanged: vi.fn() }}
          />
        </section>
      </UnsentContext>,
    );
  await draw([comment(1)]);
  await draw([]);
  expect(document.activeElement?.tagName).toBe(part);
});

it("a text that one goes on with, as after another view was shown, has the caret at its end, and where it is while one writes", async () => {
  // As browsers have it.
  vi.spyOn(HTMLTextAreaElement.prototype, "focus").mockImplementation(function (this: HTMLTextAreaElement) {
    HTMLElement.prototype.focus.call(this);
    this.setSelectionRange(0, 0);
  });
  const unsent = new UnsentComments("s");
  const page = drawnPage();
  const draw = () =>
    page.draw(
      <UnsentContext value={unsent}>
        <Composer field="reply:c1" label="Comment" send="Comment" onSend={async () => null} />
      </UnsentContext>,
    );
  const field = () => document.querySelector<HTMLTextAreaElement>("textarea:focus");
  unsent.open("reply:c1", "half a thought");
  await draw();
  expect(field()?.selectionStart).toBe("half a thought".length);
  page.leave();
  await draw();
  expect(field()?.selectionStart).toBe("half a thought".length);
  field()?.setSelectionRange(4, 4);
  await act(async () => unsent.open("reply:c1", "half a thought"));
  expect(field()?.selectionStart).toBe(4);
});
