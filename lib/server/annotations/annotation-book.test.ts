import { expect, test } from "vitest";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import { NOWHERE } from "./anchored";
import { AnnotationBook, type AnnotationEvent } from "./annotation-book";

const NOT_YET = { editedAtMs: null, resolvedAtMs: null, sentAtMs: null };

function added(id: string, target: object, more: object = {}): Extract<AnnotationEvent, { op: "add" }> {
  return {
    ...{
      op: "add" as const,
      event: `add-${id}`,
      id,
      kind: "comment" as const,
      body: id,
      author: null,
      replyTo: null,
    },
    ...{ target: { ...NOWHERE, ...target }, createdAtMs: 1, ...NOT_YET },
    ...more,
  };
}

const removed = (id: string): AnnotationEvent => ({ op: "remove", event: `remove-${id}`, id, atMs: 2 });

test("annotations of one session or project are found without visiting those of others", () => {
  const book = new AnnotationBook();
  let looks = 0;
  const session = (n: number) => `s${n}` as SessionId;
  for (let n = 0; n < 500; n++) {
    const event = added(`a${n}`, {});
    const target = Object.defineProperties(event.target, {
      sessionId: { get: () => (looks++, n % 2 ? session(n) : null) },
      projectId: { get: () => (looks++, n % 2 ? null : (`p${n}` as ProjectId)) },
    });
    book.apply({ ...event, target }, n + 1);
  }
  looks = 0;
  expect(book.of(session(499)).map(({ id }) => id)).toEqual(["a499"]);
  expect(book.ofProject("p400" as ProjectId).map(({ id }) => id)).toEqual(["a400"]);
  expect(book.of(session(2))).toEqual([]);
  expect(looks).toBeLessThan(10);
});

test("a removed annotation is gone with its answers", () => {
  const book = new AnnotationBook();
  const s = "s" as SessionId;
  const events = [
    added("one", { sessionId: s }),
    added("two", { sessionId: s }),
    added("answer", { sessionId: s }, { replyTo: "one" }),
    removed("one"),
  ];
  for (const [at, event] of events.entries()) book.apply(event, at + 1);
  expect(book.of(s).map(({ id }) => id)).toEqual(["two"]);
  expect(book.all().map(({ id }) => id)).toEqual(["two"]);
  book.apply({ op: "change", event: "c", id: "two", atMs: 3, body: "changed" }, 5);
  expect(book.of(s).map(({ body }) => body)).toEqual(["changed"]);
});

test("a tag in another case is the same one, also for a writer who says again what was removed meanwhile", () => {
  const book = new AnnotationBook();
  const s = "s" as SessionId;
  const tag = (id: string, body: string) => added(id, { sessionId: s }, { kind: "tag", body });
  const told = [tag("one", "Retry"), tag("two", "retry"), tag("three", "later")].map(
    (event, at) => book.apply(event, at + 1).kind,
  );
  expect(told).toEqual(["applied", "known", "applied"]);
  expect(book.of(s).map(({ body }) => body)).toEqual(["Retry", "later"]);
  // A search says something else in another case.
  const search = (id: string, body: string) => added(id, { sessionId: s }, { kind: "search", body });
  expect([search("x", "A"), search("y", "a")].map((event) => book.apply(event, 4).kind)).toEqual([
    "applied",
    "applied",
  ]);
  // By either id it is the one that is removed, and it does not come back when its adding is sent again.
  expect(book.apply(removed("two"), 6).kind).toBe("applied");
  for (const again of [tag("one", "Retry"), tag("two", "retry")])
    expect(book.apply(again, 7).kind).toBe("gone");
});
