// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { Toaster } from "@/components/ui/toast";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useDraft } from "./use-draft";

type Draft = { name: string; note: string };

let there: Draft;
const openAgain = vi.fn<() => void>();
beforeEach(() => {
  there = { name: "Shop", note: "" };
  openAgain.mockReset();
  sessionStorage.clear();
});

function Form() {
  const { draft, change, close } = useDraft("s1", there, openAgain);
  return (
    <>
      <output>{`${draft.name}: ${draft.note}`}</output>
      <button type="button" onClick={() => change({ note: "Much was written" })}>
        Write
      </button>
      <button type="button" onClick={close}>
        Cancel
      </button>
    </>
  );
}

/** A page on which the form can be opened and closed. */
async function page() {
  const { draw } = drawnPage();
  const show = (isOpen: boolean) =>
    draw(
      <>
        {isOpen && <Form />}
        <Toaster />
      </>,
    );
  const press = (name: string) =>
    act(async () =>
      [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click(),
    );
  const said = () => document.querySelector("[role=status]")?.textContent ?? "";
  await show(true);
  return { show, press, said };
}

it("keeps what was written in a form that was closed without saving, for its Undo", async () => {
  const { show, press, said } = await page();
  await press("Write");
  await show(false);
  expect(said()).toContain("Closed without saving");
  // Changed in another window meanwhile.
  there = { name: "Store", note: "" };
  await press("Undo");
  expect(openAgain).toHaveBeenCalledOnce();
  await show(true);
  expect(document.querySelector("output")?.textContent).toBe("Store: Much was written");
  await press("Cancel");
  await show(false);
  await show(true);
  expect(document.querySelector("output")?.textContent).toBe("Store: ");
});

it("says nothing where nothing was changed, or the reader meant to close it", async () => {
  const { show, press, said } = await page();
  await show(false);
  expect(said()).toBe("");
  await show(true);
  await press("Write");
  await press("Cancel");
  await show(false);
  expect(said()).toBe("");
});

it("keeps what is being written through a reload, and not once the form is closed", async () => {
  const before = await page();
  await before.press("Write");
  // The page is gone, without a word to the form.
  there = { name: "Store", note: "" };
  const after = await page();
  expect(document.querySelector("output")?.textContent).toBe("Store: Much was written");
  await after.press("Cancel");
  await after.show(false);
  await page();
  expect(document.querySelector("output")?.textContent).toBe("Store: ");
});

it("takes of what a tab kept only what fits the form", async () => {
  const kept = { note: "Fits", name: ["no text"], other: "no field" };
  sessionStorage.setItem("backscroll.draft s1", JSON.stringify(kept));
  await page();
  expect(document.querySelector("output")?.textContent).toBe("Shop: Fits");
});
