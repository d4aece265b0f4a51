// @vitest-environment page
import { act, useRef } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { FileChanges } from "./changed-files";
import { type LinkedChange, linkedChange, useChangesPlace, useFileLooks } from "./changes-place";

const PATHS = ["a.ts", "b.ts", "c.ts"];

function Changes({ list, linked = null }: { list: string; linked?: LinkedChange | null }) {
  const box = useRef<HTMLDivElement>(null);
  const { onScroll } = useChangesPlace(list, box, PATHS, linked);
  const [looks, setLook] = useFileLooks(list);
  return (
    <div id="box" ref={box} onScroll={onScroll}>
      {PATHS.map((path, index) => (
        <article key={path} data-file={index}>
          <button type="button" onClick={() => setLook(path, { open: false, net: false })}>
            {looks.get(path)?.open === false ? "closed" : "open"}
          </button>
          <h3>{path}</h3>
          <div data-change-room={`m~${index}.0`} />
        </article>
      ))}
    </div>
  );
}

it("whoever comes back to changes is at the file where they were, however high those above it are by then", async () => {
  // Until their changes are there, files are lower.
  let heightPx = 500;
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(() => heightPx);
  vi.spyOn(HTMLElement.prototype, "offsetTop", "get").mockImplementation(function (this: HTMLElement) {
    return Number(this.dataset.file ?? 0) * heightPx;
  });
  const page = drawnPage();
  const box = () => document.querySelector("#box") as HTMLElement;
  await page.draw(<Changes list="s1" />);
  expect(box().scrollTop).toBe(0);
  await act(async () => {
    box().scrollTop = 730;
    box().dispatchEvent(new Event("scroll"));
    document.querySelectorAll("button")[2]?.click();
  });
  page.leave();
  heightPx = 160;
  await page.draw(<Changes list="s1" />);
  // As far as the file goes by now; further when it is higher.
  expect(box().scrollTop).toBe(160 + 159);
  expect([...document.querySelectorAll("button")].map(({ textContent }) => textContent)).toEqual([
    ...["open", "open", "closed"],
  ]);
  page.leave();
  await page.draw(<Changes list="s2" />);
  expect(box().scrollTop).toBe(0);
});

it("a link to a change leads to it, below its file's head, however high those above it are by then", async () => {
  let heightPx = 500;
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(function (this: HTMLElement) {
    return this.tagName === "H3" ? 30 : heightPx;
  });
  vi.spyOn(HTMLElement.prototype, "offsetTop", "get").mockImplementation(function (this: HTMLElement) {
    const file = this.closest<HTMLElement>("[data-file]");
    return Number(file?.dataset.file ?? 0) * heightPx + (this === file ? 0 : 80);
  });
  const files = PATHS.map((path, index) => ({ path, changes: [{ recordId: `m~${index}`, block: 0 }] }));
  const linked = (at: string) => linkedChange(files as unknown as FileChanges[], at);
  const page = drawnPage();
  const box = () => document.querySelector("#box") as HTMLElement;
  await page.draw(<Changes list="linked" linked={linked("m~2.0")} />);
  expect(box().scrollTop).toBe(2 * 500 + 80 - 30);
  // Whoever comes back is where they were.
  await act(async () => {
    box().scrollTop = 730;
    box().dispatchEvent(new Event("scroll"));
  });
  page.leave();
  heightPx = 400;
  await page.draw(<Changes list="linked" linked={linked("m~2.0")} />);
  expect(box().scrollTop).toBe(400 + 230);
  expect(linked("m~7.0")).toBeNull();
});
