// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Annotation } from "@/lib/wire/annotations";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { CommentList } from "./comments-pane";
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
