// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ApiError, UNREACHABLE } from "@/lib/client/connection/api-error";
import { drawnPage } from "@/lib/testing/drawn-page";
import { FindField } from "./find-field";
import type { Find } from "./use-find";

it("a search whose server is away says so, and is made again by its button and by Enter", async () => {
  const again = vi.fn();
  const step = vi.fn();
  const search = { phase: "failed", error: new ApiError(0, UNREACHABLE), problems: [], again };
  const find = { query: "retry", hits: [], index: -1, hidden: 0, outside: 0, shown: true, search, step };
  await drawnPage().draw(
    <FindField find={{ ...find, field: { current: null } } as unknown as Find} problemId="p" />,
  );
  expect(document.querySelector("[role=status]")?.textContent).toBe("No answer");
  const button = [...document.querySelectorAll("button")].find((one) => one.textContent === "Try again");
  expect(button?.title).toBe(UNREACHABLE.message);
  await act(async () => button?.click());
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
  await act(async () => void document.querySelector("input")?.dispatchEvent(enter));
  expect(again).toHaveBeenCalledTimes(2);
  expect(step).not.toHaveBeenCalled();
});

it("says how many matches lie outside of the selected part, and leads to them", async () => {
  const showOutside = vi.fn();
  const search = { phase: "done", complete: true, error: null, problems: [] };
  const find = { query: "retry", hits: [], index: -1, hidden: 0, outside: 12, shown: true, search };
  await drawnPage().draw(
    <FindField find={{ ...find, showOutside, field: { current: null } } as unknown as Find} problemId="p" />,
  );
  expect(document.querySelector("[role=status]")?.textContent).toBe(
    "No results, 12 outside of the selected part",
  );
  const button = [...document.querySelectorAll("button")].find((one) => one.textContent === "+12 outside");
  await act(async () => button?.click());
  expect(showOutside).toHaveBeenCalledOnce();
});
