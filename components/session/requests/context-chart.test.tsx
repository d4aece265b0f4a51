// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionRequest } from "@/lib/wire/model-requests/session-requests";
import { ContextChart } from "./context-chart";

// Room for ten bars.
vi.mock("@/components/ui/chart", async (original) => ({
  ...(await original<object>()),
  useWidth: () => [() => undefined, 84],
}));

const requests = Array.from({ length: 100 }, (_, number) => ({
  ...{ recordId: `m~${number}`, agentId: null, atMs: 0, model: "claude-opus-4-5", passes: 1, advisors: [] },
  ...{ context: 9, input: 9, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  ...{ window: 200_000, compactedAt: number === 75 ? 0 : null, parts: { base: 9 }, miss: null },
})) as unknown as SessionRequest[];

const focused = () => document.activeElement?.getAttribute("aria-label")?.split(",")[0];

function press(key: string) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  act(() => void document.activeElement?.dispatchEvent(event));
  return event.defaultPrevented;
}

it("keys go from bar to bar, into what one stands for, and back to that one", async () => {
  const went = vi.fn();
  const page = drawnPage();
  await page.draw(<ContextChart requests={requests} onGo={went} />);
  const stops = () => document.querySelectorAll("[data-bar][tabindex='0']");
  act(() => (stops()[0] as SVGGElement).focus());
  expect(press("Escape")).toBe(false);
  press("PageDown");
  expect(focused()).toBe("Requests 71 to 80");
  press("Enter");
  await page.settle();
  expect(focused()).toBe("Request 71");
  expect(document.querySelector("figcaption")?.textContent).toMatch(/^Request 71/);
  press("End");
  press("ArrowLeft");
  expect(focused()).toBe("Request 79");
  press("Enter");
  expect(went).toHaveBeenCalledWith(requests[78]);
  expect(press("Escape")).toBe(true);
  await page.settle();
  expect([focused(), stops().length]).toEqual(["Requests 71 to 80", 1]);
});

it("keys lead to a bar from where the focus is when the view was opened", async () => {
  await drawnPage().draw(<ContextChart requests={requests} onGo={vi.fn()} />);
  const leave = () => act(() => (document.activeElement as HTMLElement | SVGElement).blur());
  expect(document.activeElement).toBe(document.body);
  press("ArrowRight");
  expect(focused()).toBe("Requests 1 to 10");
  leave();
  press("PageDown");
  expect(focused()).toBe("Requests 71 to 80");
  press("Home");
  press("ArrowRight");
  expect(focused()).toBe("Requests 11 to 20");
  leave();
  press("PageUp");
  expect(focused()).toBeUndefined();
});

it("the request that the address names is marked, is spoken of, and is where Tab comes to", async () => {
  await drawnPage().draw(<ContextChart requests={requests} named={requests[42]} onGo={vi.fn()} />);
  const [bar, ...more] = document.querySelectorAll("[data-bar][aria-current]");
  expect([bar?.getAttribute("aria-label")?.split(",")[0], more.length]).toEqual(["Requests 41 to 50", 0]);
  expect(bar?.getAttribute("tabindex")).toBe("0");
  expect(document.querySelector("figcaption")?.textContent).toMatch(/^Requests 41 to 50/);
});

it("a finger reads a bar with the first tap, or by sliding over it, and opens it with the next", async () => {
  const went = vi.fn();
  await drawnPage().draw(<ContextChart requests={requests.slice(0, 5)} onGo={went} />);
  const bars = () => [...document.querySelectorAll<SVGGElement>("[data-bar]")];
  const caption = () => document.querySelector("figcaption")?.textContent;
  const put = (name: string, bar: SVGGElement | undefined, pointerType: string) =>
    act(() => void bar?.dispatchEvent(new PointerEvent(name, { bubbles: true, pointerType })));
  const tap = (bar: SVGGElement | undefined, pointerType = "touch") => {
    put("pointerdown", bar, pointerType);
    act(() => bar?.focus());
    act(() => void bar?.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  };
  expect(caption()).toContain("Tap a bar to read it");
  tap(bars()[1]);
  expect(caption()).toMatch(/^Request 2.*Tap it again to open it/);
  tap(bars()[2]);
  expect(went).not.toHaveBeenCalled();
  tap(bars()[2]);
  expect(went.mock.calls).toEqual([[requests[2]]]);
  // The finger keeps the bar on which it came down: which one it is over is asked of the page.
  put("pointerdown", bars()[2], "touch");
  const under = vi.spyOn(document, "elementFromPoint").mockReturnValue(bars()[4]?.firstElementChild ?? null);
  put("pointermove", bars()[2], "touch");
  under.mockRestore();
  act(() => void bars()[2]?.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  expect(caption()).toMatch(/^Request 5/);
  expect(went).toHaveBeenCalledTimes(1);
  tap(bars()[0], "mouse");
  expect(went.mock.calls[1]).toEqual([requests[0]]);
});
