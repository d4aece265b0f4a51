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

it("where there is no left column, its lists stand among the projects, and lead away from a project", async () => {
  const answer = { projects: [], totals: null, annotations: [], indexing: { done: true } };
  vi.stubGlobal("fetch", async () => Response.json(answer));
  window.history.replaceState(null, "", "/?q=retry&running=true");
  const field = createRef<HTMLInputElement>();
  const page = drawnPage();
  await page.draw(
    <main>
      <FilterBar fieldRef={field} sessions={[]} shown={[]} problemId={null} />
    </main>,
  );
  const button = () =>
    [...document.querySelectorAll("button")].find(({ textContent }) =>
      /All projects|Unanswered|Costliest/.test(textContent),
    );
  const choose = async (name: string) => {
    // Radix opens a menu on the press of the pointer, or with a key.
    button()?.focus();
    await act(async () =>
      button()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })),
    );
    const items = [...document.querySelectorAll<HTMLElement>('[role="menuitemradio"], [role^="menuitem"]')];
    await act(async () => items.find(({ textContent }) => textContent === name)?.click());
    await page.settle();
  };
  await choose("Unanswered");
  expect(field.current?.value).toBe("is:unanswered");
  expect(button()?.textContent).toBe("Unanswered");
  await choose("Costliest, last 7 days");
  expect(button()?.textContent).toBe("Costliest, last 7 days");
  await choose("All projects");
  expect(field.current?.value).toBe("");
  expect(button()?.textContent).toBe("All projects");
  // The order and the time belonged to the costliest.
  expect(document.querySelector('[aria-label^="Order:"]')?.getAttribute("aria-label")).toBe(
    "Order: Last active",
  );
});
