// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import type { AnnotationKind } from "@/lib/wire/annotations";
import type { SessionId } from "@/lib/wire/ids";
import { OrganiseDialog } from "./organise-dialog";

const SESSION = "s1" as SessionId;
const put = (id: string, kind: AnnotationKind, body: string) => ({
  id,
  kind,
  body,
  revision: 1,
  target: { sessionId: SESSION, projectId: null, recordId: null },
});

let there: ReturnType<typeof put>[];
/** The requests to the server that change something. */
let asked: string[];
let page: DrawnPage;

beforeEach(async () => {
  there = [put("1", "tag", "mine"), put("2", "name", "Old name")];
  asked = [];
  vi.stubGlobal("fetch", async (url: string, { method = "GET", body }: RequestInit = {}) => {
    if (method === "GET") return Response.json({ annotations: there });
    asked.push(`${method} ${url} ${typeof body === "string" ? body : ""}`);
    return Response.json({});
  });
  page = drawnPage();
  await page.draw(<OrganiseDialog sessions={[SESSION]} onOpenChange={() => undefined} />);
  await act(() =>
    vi.waitFor(() => {
      if (!document.querySelector("form")) throw new Error("no form yet");
    }),
  );
});

const save = () =>
  act(async () => {
    document.querySelector("form")?.requestSubmit();
    await vi.waitFor(() => expect(document.querySelector("form button[disabled]")).toBeNull());
  });

it("changes from another window stay if nothing was changed here", async () => {
  there = [
    put("1", "tag", "mine"),
    put("2", "name", "New name"),
    put("3", "tag", "theirs"),
    put("4", "star", ""),
  ];
  const [query] = page.client.getQueryCache().findAll({ queryKey: ["annotations"] });
  await act(() => page.client.invalidateQueries({ queryKey: ["annotations"] }));
  expect(query?.state.data).toEqual(there);
  await save();
  expect(asked).toEqual([]);
});

it("only what was changed here is saved", async () => {
  there = [...there, put("3", "tag", "theirs"), put("4", "star", "")];
  await act(() => page.client.invalidateQueries({ queryKey: ["annotations"] }));
  const remove = document.querySelector<HTMLElement>('[aria-label="Remove the tag mine"]');
  act(() => remove?.click());
  await save();
  expect(asked).toEqual([expect.stringMatching(/^DELETE .*\/annotations\/1/)]);
});

it("a session that has two stars, as two windows give them, is starred and is not any more when it is unticked", async () => {
  page.leave();
  there = [put("1", "star", ""), put("2", "star", ""), put("3", "tag", "mine"), put("4", "tag", "mine")];
  await page.draw(<OrganiseDialog sessions={[SESSION, "s2" as SessionId]} onOpenChange={() => undefined} />);
  await act(() => vi.waitFor(() => expect(document.querySelector("form")).not.toBeNull()));
  const ticked = () =>
    [...document.querySelectorAll<HTMLInputElement>("input[type=checkbox]")].map(({ checked }) => checked);
  // Of two sessions one has them.
  expect(ticked()).toEqual([false, false]);
  expect(document.querySelector('[title="Some of them have it"]')?.textContent).toBe("mine");

  page.leave();
  await page.draw(<OrganiseDialog sessions={[SESSION]} onOpenChange={() => undefined} />);
  await act(() => vi.waitFor(() => expect(document.querySelector("form")).not.toBeNull()));
  expect(ticked()).toEqual([true, false]);
  expect(document.querySelector('[title="Some of them have it"]')).toBeNull();
});

it("what is offered stays where it is when the field is left, so that the button that is pressed is hit", async () => {
  page.leave();
  page.client.clear();
  there = [
    put("1", "tag", "mine"),
    { ...put("3", "tag", "theirs"), target: { ...put("3", "tag", "").target, sessionId: "s2" as SessionId } },
  ];
  await page.draw(<OrganiseDialog sessions={[SESSION]} onOpenChange={() => undefined} />);
  await act(() => vi.waitFor(() => expect(document.querySelector("form")).not.toBeNull()));
  const offered = () =>
    [...document.querySelectorAll('[aria-label^="Add the tag"]')].map(({ textContent }) => textContent);
  const field = document.querySelector<HTMLInputElement>('[aria-label="Add a tag"]') as HTMLInputElement;
  const type = (text: string) =>
    act(async () => {
      field.focus();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  expect(offered()).toEqual(["theirs"]);
  await type("new");
  expect(offered()).toEqual([]);
  await act(async () => field.blur());
  expect(document.querySelector('[aria-label="Remove the tag new"]')).not.toBeNull();
  expect(offered()).toEqual([]);
  await act(async () => field.focus());
  expect(offered()).toEqual(["theirs"]);
  await type("their");
  await act(async () => document.querySelector<HTMLElement>('[aria-label="Add the tag theirs"]')?.click());
  expect(document.querySelector('[aria-label="Remove the tag theirs"]')).not.toBeNull();
});
