// @vitest-environment page

import { act, useContext, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { RowAnnotationsContext } from "@/components/annotations/row-annotations";
import { SessionContext } from "@/components/session/session-store";
import { Toaster } from "@/components/ui/toast";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import type { Annotation } from "@/lib/wire/annotations";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { CommentsPane } from "./comments-pane";
import { SessionComments, useCommentPlaces } from "./session-comments";

const SESSION = "s1" as SessionId;
const [FIRST, SECOND] = ["m~10", "m~20"] as RecordId[] as [RecordId, RecordId];

const written = (id: string, recordId: RecordId, revision: number): Annotation => ({
  ...{ id, kind: "comment", body: "Why is this here?", author: null, replyTo: null, revision },
  ...{ createdAtMs: 1, editedAtMs: null, resolvedAtMs: null, sentAtMs: null, state: "anchored" },
  target: {
    ...{ sessionId: SESSION, projectId: null, recordId, block: 0, uuid: null, hash: null },
    ...{ quote: null, lines: null, range: null },
  },
});

let kept: Annotation[];
/** What was asked of the server that changes something. */
let asked: { method: string; path: string; body: Record<string, unknown> }[];
let refuses: boolean;
let isUnreadable: boolean;
/** What the server has of a comment that is sent, however often that is. */
let stored: Record<string, unknown> | null;
let page: DrawnPage;

beforeEach(async () => {
  sessionStorage.clear();
  [kept, asked, refuses, isUnreadable, stored] = [[], [], false, false, null];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (path.includes("/health")) return Response.json({ indexing: { done: true } });
    if (method === "GET" && isUnreadable)
      return Response.json(
        { error: { code: "x", message: "They cannot be read", hint: "See" } },
        { status: 500 },
      );
    if (method === "GET") return Response.json({ annotations: kept, sequence: 1 });
    asked.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : {} });
    if (refuses) throw new TypeError("no connection");
    if (method === "POST") stored ??= asked.at(-1)?.body ?? null;
    return Response.json(method === "POST" ? { ...stored, revision: 7 } : {});
  });
  page = drawnPage();
});

/** The session's page with two rows to comment on, and the pane where it is open. */
function Page({ view = null }: { view?: "changes" | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const [store] = useState(() => ({
    thread: { selected: () => null },
    views: { isCovered: () => view !== null, takesComments: () => true },
    panes: { show: () => setIsOpen(true), toggleComments: () => setIsOpen((open) => !open) },
    goToRecord: () => undefined,
  }));
  return (
    <SessionContext value={{ sessionId: SESSION, store, url: { view, file: null } } as never}>
      <SessionComments>
        <main tabIndex={-1} aria-label="Thread">
          <Rows />
        </main>
        <Count />
        {isOpen && <CommentsPane onClose={() => setIsOpen(false)} />}
      </SessionComments>
    </SessionContext>
  );
}

/** What the tool bar says of the comments. */
function Count() {
  const { open, mayComment } = useCommentPlaces();
  return <output>{mayComment ? `${open} open` : "none to read"}</output>;
}

function Rows() {
  const annotations = useContext(RowAnnotationsContext);
  return [FIRST, SECOND].map((recordId) => (
    <button
      key={recordId}
      type="button"
      onClick={() => annotations?.comment({ key: `${recordId}.0`, recordId, block: 0 })}
    >
      {`Comment on ${recordId}`}
    </button>
  ));
}

async function draw(): Promise<void> {
  await page.draw(<Page />);
  await page.settle();
}

async function press(name: string): Promise<void> {
  const found = [...document.querySelectorAll<HTMLElement>("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent) === name,
  );
  if (!found) throw new Error(`nothing is named ${name}`);
  await act(async () => found.click());
  await page.settle();
}

/** The pane is opened or closed by its key, as Back does it too. */
const toggle = () =>
  act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key: "A", bubbles: true })));

const fields = () => [...document.querySelectorAll("textarea")];
const texts = () => fields().map(({ value }) => value);
const focused = () => (document.activeElement as HTMLTextAreaElement).value;

async function write(text: string, field = document.activeElement): Promise<void> {
  await act(async () => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value") ?? {};
    set?.call(field, text);
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

it("the tool bar counts what is open as the library does, also where the lines are gone", async () => {
  const lost = { ...written("c1", FIRST, 1), state: "detached" as const };
  kept = [lost, written("c2", SECOND, 1), { ...written("c3", SECOND, 1), resolvedAtMs: 2 }];
  await draw();
  expect(document.querySelector("output")?.textContent).toBe("2 open");
});

it("a comment that is being written is there again when its pane is", async () => {
  await draw();
  await press(`Comment on ${FIRST}`);
  await write("This drops the last");
  await toggle();
  expect(fields()).toHaveLength(0);
  await toggle();
  expect(focused()).toBe("This drops the last");
  await write("This drops the last item");
  await press("Close Comments");
  await press(`Comment on ${FIRST}`);
  expect(texts()).toEqual(["This drops the last item"]);
});

it("a comment on another row leaves the one that is being written, and takes the place of one that is empty", async () => {
  await draw();
  await press(`Comment on ${FIRST}`);
  await write("About the first");
  await press(`Comment on ${SECOND}`);
  expect(texts()).toEqual(["", "About the first"]);
  expect(focused()).toBe("");
  await press(`Comment on ${FIRST}`);
  expect(texts()).toEqual(["About the first"]);
  expect(focused()).toBe("About the first");
  await press(`Comment on ${SECOND}`);
  await write("About the second");
  await press("Comment");
  expect(asked.map(({ body }) => [(body.target as { recordId: string }).recordId, body.body])).toEqual([
    [SECOND, "About the second"],
  ]);
  expect(texts()).toEqual(["About the first"]);
  await press("Cancel");
  expect(texts()).toEqual([]);
});

it("an empty comment goes with its pane", async () => {
  await draw();
  await press(`Comment on ${FIRST}`);
  await press("Close Comments");
  await toggle();
  expect(fields()).toHaveLength(0);
});

it("a comment that could not be sent is the same one when it is sent again, also from a pane that was closed between", async () => {
  await draw();
  await press(`Comment on ${FIRST}`);
  await write("Sent twice");
  refuses = true;
  await press("Comment");
  await toggle();
  await toggle();
  refuses = false;
  await press("Comment");
  expect(asked.map(({ body }) => body.body)).toEqual(["Sent twice", "Sent twice"]);
  expect(asked[0]?.body.id).toBe(asked[1]?.body.id);
  expect(fields()).toHaveLength(0);
});

it("so are answers, and new words for a comment, which replace only what their writer has seen", async () => {
  kept = [written("one", FIRST, 3)];
  await draw();
  await toggle();
  await press("Reply");
  await write("Because of the");
  await press("Edit");
  await write("Why is this still here?");
  await toggle();
  kept = [written("one", FIRST, 4)];
  await act(() => page.client.invalidateQueries());
  await page.settle();
  await toggle();
  expect(texts()).toEqual(["Why is this still here?", "Because of the"]);
  await press("Save");
  expect(asked).toMatchObject([{ method: "PATCH", body: { body: "Why is this still here?", revision: 3 } }]);
});

it("an answer that could not be sent is the same one when it is sent again", async () => {
  kept = [written("one", FIRST, 3)];
  await draw();
  await toggle();
  await press("Reply");
  await write("Because");
  refuses = true;
  // The field's button is the last of this name.
  const send = async () => {
    await act(async () => document.querySelector("form")?.requestSubmit());
    await page.settle();
  };
  await send();
  await toggle();
  await toggle();
  refuses = false;
  await send();
  expect(asked.map(({ body }) => body.body)).toEqual(["Because", "Because"]);
  expect(asked[0]?.body.id).toBe(asked[1]?.body.id);
  await press("Reply");
  await write("And");
  await send();
  expect(asked[2]?.body.id).not.toBe(asked[0]?.body.id);
});

it("comments that cannot be read are not said to be none", async () => {
  isUnreadable = true;
  await draw();
  await toggle();
  const shown = () => document.body.textContent;
  expect(shown()).not.toContain("No comments yet");
  expect(document.querySelector('[role="alert"]')?.textContent).toContain("They cannot be read");
  isUnreadable = false;
  await press("Try again");
  expect(shown()).toContain("No comments yet");
});

it("nor those that have not come yet", async () => {
  const answers = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) =>
    path.includes("/annotations") ? new Promise(() => undefined) : answers(path, init),
  );
  await page.draw(<Page />);
  await toggle();
  expect(document.querySelector('[aria-label="Comments"]')).not.toBeNull();
  expect(document.body.textContent).not.toContain("No comments yet");
});

it("who deletes a comment by keyboard stays where they are", async () => {
  kept = [written("one", FIRST, 3)];
  await draw();
  await toggle();
  const name = () => document.activeElement?.textContent;
  const button = (text: string) =>
    [...document.querySelectorAll("button")].find((one) => one.textContent === text);
  button("Delete")?.focus();
  await press("Delete");
  expect(name()).toBe("Keep");
  await press("Keep");
  expect(name()).toBe("Delete");
  button("Edit")?.focus();
  await press("Edit");
  await press("Cancel");
  expect(name()).toBe("Edit");
  button("Reply")?.focus();
  await press("Reply");
  await press("Cancel");
  expect(name()).toBe("Reply");
});

it("a comment that was changed after its answer was lost says what was written last", async () => {
  await draw();
  await press(`Comment on ${FIRST}`);
  await write("Why?");
  refuses = true;
  await press("Comment");
  // It had arrived all the same.
  [refuses, stored] = [false, asked[0]?.body ?? null];
  await write("Why twice?", fields()[0]);
  await press("Comment");
  expect(asked.at(-1)).toMatchObject({ method: "PATCH", body: { body: "Why twice?", revision: 7 } });
  expect(asked.at(-1)?.path).toContain(String(asked[0]?.body.id));
});

it("who deletes a comment is told which answers go with it", async () => {
  const answer = (id: string) => ({ ...written(id, FIRST, 4), replyTo: "one" });
  kept = [written("one", FIRST, 3), answer("two"), answer("three")];
  await draw();
  await toggle();
  await press("Delete");
  expect(document.body.textContent).toContain("Delete it and 2 replies");
  await press("Keep");
  kept = [written("one", FIRST, 3)];
  await act(() => page.client.invalidateQueries());
  await page.settle();
  await press("Delete");
  await press("Delete it");
  expect(asked).toMatchObject([{ method: "DELETE" }]);
});

it("what is written while a comment is on its way is not lost with its field", async () => {
  await draw();
  await press(`Comment on ${FIRST}`);
  await write("Why?");
  const answers = globalThis.fetch;
  let answer: () => void = () => undefined;
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (init?.method === "POST") await new Promise<void>((resolve) => (answer = resolve));
    return answers(path, init);
  });
  await press("Comment");
  expect(fields().map(({ readOnly }) => readOnly)).toEqual([true]);
  await act(async () => answer());
  await page.settle();
  expect(fields()).toHaveLength(0);
});

it("an answer is not lost with the comment that somebody deletes meanwhile", async () => {
  kept = [written("one", FIRST, 3)];
  await draw();
  await toggle();
  await press("Reply");
  await write("Because of the");
  kept = [];
  await act(() => page.client.invalidateQueries());
  await page.settle();
  expect(texts()).toEqual(["Because of the"]);
  expect(document.body.textContent).toContain("was deleted");
  await press("Discard");
  expect(fields()).toHaveLength(0);
});

it("the focus is in the thread again when a comment is sent, and when one is deleted", async () => {
  const named = () => document.activeElement?.getAttribute("aria-label");
  await draw();
  await press(`Comment on ${FIRST}`);
  await write("This drops the last");
  kept = [written("c1", FIRST, 1)];
  await press("Comment");
  expect(fields()).toHaveLength(0);
  expect(named()).toBe("Thread");
  await press("Delete");
  expect(document.activeElement?.textContent).toBe("Keep");
  kept = [];
  await press("Delete it");
  expect(named()).toBe("Thread");
});

it("the empty pane says what may be commented on beside the thread, and beside the changes", async () => {
  const words = () => document.body.textContent ?? "";
  await draw();
  await toggle();
  await page.settle();
  expect(words()).toContain("Select text or a row, then press a");
  page.leave();
  await page.draw(<Page view="changes" />);
  await page.settle();
  await toggle();
  await page.settle();
  expect(words()).toContain("Select text of a change, then press a");
  expect(words()).not.toContain("bookmark");
});

it("a comment on a net diff, which no single change made, is told where it can stand", async () => {
  await page.draw(
    <>
      <Page view="changes" />
      <p data-net="">a line of several changes</p>
      <Toaster />
    </>,
  );
  await page.settle();
  const line = document.querySelector("[data-net]")?.firstChild as Text;
  window.getSelection()?.setBaseAndExtent(line, 0, line, 6);
  await act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true })));
  expect(document.body.textContent).toContain("turn off Net diff");
});
