// @vitest-environment page
import { beforeEach, expect, test, vi } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import { answerField, UnsentComments } from "./unsent-comments";

const draft = (recordId: string) => ({
  ...{ recordId: recordId as RecordId, block: 0 },
  ...{ selected: null, lines: null, about: "a row" },
});

/** The comments of a page of this tab, until it is left. */
function open(sessionId = "s") {
  const unsent = new UnsentComments(sessionId);
  return { unsent, leave: unsent.keep() };
}

beforeEach(() => sessionStorage.clear());

test("written text is there on the next page of its session, and empty fields are not", () => {
  const { unsent, leave } = open();
  unsent.begin(draft("m~0"));
  const [{ id } = { id: "" }] = unsent.store.getState().begun;
  unsent.write(id, "Why twice?");
  unsent.open(answerField("t"));
  unsent.write(answerField("t"), "Since");
  unsent.begin(draft("m~9"));
  leave();

  const next = open();
  expect(next.unsent.store.getState().begun).toEqual([{ ...draft("m~0"), id }]);
  expect(next.unsent.get(id)?.text).toBe("Why twice?");
  expect(next.unsent.get(answerField("t"))?.text).toBe("Since");
  expect(next.unsent.store.getState().texts.size).toBe(2);
  // No field takes the focus by itself.
  expect(next.unsent.store.getState().latest).toBeNull();
  expect(open("other").unsent.store.getState().texts.size).toBe(0);
});

test("text that was sent or given up is gone for good", () => {
  const { unsent, leave } = open();
  unsent.open(answerField("t"));
  unsent.write(answerField("t"), "Since");
  expect(sessionStorage.length).toBe(1);
  unsent.end(answerField("t"));
  leave();
  expect(sessionStorage.length).toBe(0);
});

test("other data stored there is left alone", () => {
  const others = [
    '{"begun":[],"texts":["Why?"]}',
    '{"begun":[null],"texts":[]}',
    '{"begun":[],"texts":[["f",null]]}',
  ];
  for (const text of ["{", "7", '{"begun":[]}', ...others]) {
    sessionStorage.setItem("backscroll.unsent s", text);
    expect(open().unsent.store.getState().texts.size).toBe(0);
  }
});

test("a tab and its duplicate send their texts under different ids, and a reload keeps those of its tab", async () => {
  const first = open();
  first.unsent.begin(draft("m~0"));
  const [{ id: field } = { id: "" }] = first.unsent.store.getState().begun;
  first.unsent.write(field, "Why twice?");
  first.unsent.open(answerField("t"));
  first.unsent.write(answerField("t"), "Since");
  const idsOf = ({ unsent }: ReturnType<typeof open>) =>
    [field, answerField("t")].map((name) => unsent.get(name)?.id);
  const before = idsOf(first);
  first.leave();

  const reloaded = open();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(idsOf(reloaded)).toEqual(before);

  // The browser copies what a tab has stored to its duplicate.
  const duplicate = open();
  await vi.waitFor(() => {
    for (const id of idsOf(reloaded)) expect(idsOf(duplicate)).not.toContain(id);
  });
  expect(reloaded.unsent.get(field)?.text).toBe("Why twice?");
  expect(duplicate.unsent.get(field)?.text).toBe("Why twice?");
  reloaded.leave();
  duplicate.leave();
});

test("text can be written where the browser refuses a channel to other tabs, as it does storage", () => {
  vi.stubGlobal("BroadcastChannel", function refuse() {
    throw new DOMException("The operation is insecure.", "SecurityError");
  });
  try {
    const { unsent, leave } = open();
    unsent.open(answerField("t"));
    unsent.write(answerField("t"), "Since");
    expect(unsent.get(answerField("t"))?.text).toBe("Since");
    leave();
  } finally {
    vi.unstubAllGlobals();
  }
});
