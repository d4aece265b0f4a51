// @vitest-environment page
import { act, useRef } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useChangesPlace, useFileLooks } from "./changes-place";

const PATHS = ["a.ts", "b.ts", "c.ts"];

function Changes({ list }: { list: string }) {
  const box = useRef<HTMLDivElement>(null);
  const { onScroll } = useChangesPlace(list, box, PATHS);
  const [looks, setLook] = useFileLooks(list);
  return (
    <div id="box" ref={box} onScroll={onScroll}>
      {PATHS.map((path, index) => (
        <article key={path} data-file={index}>
          <button type="button" onClick={() => setLook(path, { open: false, net: false })}>
            {looks.get(path)?.open === false ? "closed" : "open"}
          </button>
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
