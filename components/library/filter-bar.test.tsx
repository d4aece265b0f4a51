// @vitest-environment page
import { act, createRef } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { FilterBar } from "./filter-bar";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

it("any time is chosen only where the words name none either, and takes those out of them", async () => {
  const answer = { projects: [], totals: null, annotations: [], indexing: { done: true } };
  vi.stubGlobal("fetch", async () => Response.json(answer));
  window.history.replaceState(
    null,
    "",
    `/?q=${encodeURIComponent("retry after:2026-11-01 before:2026-11-08")}`,
  );
  const field = createRef<HTMLInputElement>();
  await drawnPage().draw(
    <main>
      <FilterBar fieldRef={field} sessions={[]} shown={[]} problemId={null} />
    </main>,
  );
  const times = () => [...document.querySelectorAll<HTMLElement>('fieldset[aria-label="Time"] button')];
  const pressed = () =>
    times()
      .filter((one) => one.getAttribute("aria-pressed") === "true")
      .map((one) => one.textContent);
  expect(pressed()).toEqual([]);
  await act(async () => times()[0]?.click());
  expect(pressed()).toEqual(["Any time"]);
  expect(field.current?.value).toBe("retry");
});

it("Enter and Escape accept and dismiss an input method's suggestion, and neither leave nor clear the filter", async () => {
  const answer = { projects: [], totals: null, annotations: [], indexing: { done: true } };
  vi.stubGlobal("fetch", async () => Response.json(answer));
  window.history.replaceState(null, "", `/?q=${encodeURIComponent("にほん")}`);
  const field = createRef<HTMLInputElement>();
  await drawnPage().draw(
    <main>
      <FilterBar fieldRef={field} sessions={[]} shown={[]} problemId={null} />
    </main>,
  );
  const input = field.current as HTMLInputElement;
  input.focus();
  const press = (key: string, init: KeyboardEventInit) =>
    act(async () => void input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...init })));
  // Safari's keys come when nothing is composed any more.
  for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
    await press("Enter", init);
    expect(document.activeElement).toBe(input);
    await press("Escape", init);
    expect(document.activeElement).toBe(input);
    expect(input.value).toBe("にほん");
  }
  await press("Escape", {});
  expect(input.value).toBe("");
  // Left to the page's main part, not to its top.
  expect(document.activeElement?.tagName).toBe("MAIN");
});
