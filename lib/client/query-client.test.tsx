// @vitest-environment page
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";

beforeEach(() => {
  // A server that has just been back is remembered.
  vi.resetModules();
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => void vi.useRealTimers());

let getJson: typeof import("./connection/json").getJson;

function Figure() {
  const { data, error } = useQuery({
    queryKey: ["figure"],
    queryFn: ({ signal }) => getJson<{ figure: number }>("/api/figure", { signal }),
  });
  return <output>{error?.message ?? data?.figure ?? "…"}</output>;
}
const shown = () => document.querySelector("output")?.textContent;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function draw() {
  ({ getJson } = await import("./connection/json"));
  const { makeQueryClient } = await import("./query-client");
  await drawnPage().draw(
    <QueryClientProvider client={makeQueryClient()}>
      <Figure />
    </QueryClientProvider>,
  );
}

/** An answer whose server goes away in its middle. */
const cutAnswer = () => ({ ok: true, json: () => Promise.reject(new TypeError("network error")) });

it.each([
  ["gives no answer", () => Promise.reject(new TypeError("no answer"))],
  ["breaks off its answer", async () => cutAnswer()],
])("what a server that %s was asked for comes when it is back, as its error promises", async (_, fail) => {
  vi.stubGlobal("fetch", fail);
  await draw();
  await pass(3_000);
  expect(shown()).toBe("Backscroll does not answer.");
  vi.stubGlobal("fetch", async () => Response.json({ figure: 7 }));
  await pass(5_000);
  expect(shown()).toBe("7");
});

it("while nobody answers, the page asks for nothing but whether the server is there", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.reject(new TypeError("no answer"));
  });
  await draw();
  await pass(3_000);
  asked.length = 0;
  await pass(30_000);
  expect(new Set(asked)).toEqual(new Set(["/api/health"]));
  expect(asked.length).toBeLessThan(9);
});
