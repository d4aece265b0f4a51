// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import { makeSummary } from "@/lib/testing/session-summary";
import type { SessionId } from "@/lib/wire/ids";
import { PaletteDialog } from "./palette";

const opened = vi.hoisted((): string[] => []);
vi.mock("next/navigation", () => ({
  useRouter: () => ({ push: (href: string) => void opened.push(href) }),
  usePathname: () => "/sessions/s1",
}));

const progress = { bytesDone: 1, bytesTotal: 1, filesDone: 1, filesTotal: 1 };

it("in a session, in:this-session is offered, asked for with that session, and named on the page of all hits", async () => {
  const asked: (string | null)[][] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    const url = new URL(path, "http://127.0.0.1");
    if (url.pathname === "/api/sessions")
      return Response.json({
        sessions: [makeSummary({ id: "s2" as SessionId, title: "retry elsewhere" })],
        nextCursor: null,
        problems: [],
      });
    if (url.pathname !== "/api/search") return Response.json({ projects: [], places: [], totals: null });
    asked.push([url.searchParams.get("q"), url.searchParams.get("here")]);
    const events = [
      { kind: "start", problems: [] },
      { kind: "hits", hits: [makeHit({ session: "s1", field: "text" })] },
      { kind: "end", complete: true, nextCursor: null, progress },
    ];
    return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });
  const page = drawnPage();
  await page.draw(<PaletteDialog open onOpenChange={() => undefined} />);
  const field = document.querySelector<HTMLInputElement>("input[role=combobox]");
  const type = (text: string) =>
    act(async () => {
      Reflect.set(HTMLInputElement.prototype, "value", text, field);
      field?.dispatchEvent(new Event("input", { bubbles: true }));
    });
  /** The caret is told of by the browser behind the text. */
  const toEnd = () =>
    act(async () => {
      field?.focus();
      field?.setSelectionRange(field.value.length, field.value.length);
      field?.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
      field?.dispatchEvent(new KeyboardEvent("keyup", { key: "End", bubbles: true }));
    });
  const press = (key: string, more: KeyboardEventInit = {}) =>
    act(
      async () =>
        void field?.dispatchEvent(
          new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }),
        ),
    );

  await type("retry");
  await until(() => expect(document.body.textContent).toContain("retry elsewhere"));
  await type("retry in:th");
  await toEnd();
  await until(() => expect(document.body.textContent).toContain("in:this-session"));
  await press("Tab");
  expect(field?.value).toBe("retry in:this-session ");
  await until(() => expect(asked.at(-1)).toEqual(["retry in:this-session", "s1"]));
  // Whoever asks for this session is offered no other by its name.
  await until(() => expect(document.body.textContent).not.toContain("retry elsewhere"));
  await until(() => expect(document.body.textContent).toContain("please retry it"));
  await press("Enter", { shiftKey: true });
  await until(() => expect(opened).toEqual(["/search?q=retry+session%3As1"]));
  await page.settle();
});
