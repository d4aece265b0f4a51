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
