// @vitest-environment page
import { act, useRef } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useNear } from "./use-near";

function File() {
  const element = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const near = useNear(element, box);
  return (
    <div ref={box} id="box">
      <div ref={element}>{near ? "near" : "far"}</div>
    </div>
  );
}

it("an element that came near while the page was busy is near, though it is told of both at once", async () => {
  let tell: (near: boolean[]) => void = () => undefined;
  const watched = vi.fn();
  class Observer {
    constructor(onTold: IntersectionObserverCallback, { root }: IntersectionObserverInit) {
      // Else nothing that the box cuts off would count as near.
      expect(root).toBe(document.querySelector("#box"));
      tell = (told) =>
        onTold(
          told.map((isIntersecting) => ({ isIntersecting }) as IntersectionObserverEntry),
          this as unknown as IntersectionObserver,
        );
    }
    observe = watched;
    disconnect = () => watched("no more");
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  onTestFinished(() => void vi.unstubAllGlobals());
  const page = drawnPage();
  const shown = () => document.body.textContent;
  await page.draw(<File />);
  expect(watched).toHaveBeenCalledTimes(1);
  await act(async () => tell([false]));
  expect(shown()).toBe("far");
  await act(async () => tell([false, true]));
  expect(shown()).toBe("near");
  expect(watched).toHaveBeenLastCalledWith("no more");
});
