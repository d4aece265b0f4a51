// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/react";
import { act, createRef } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { FilterBar } from "./filter-bar";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

it("Enter and Escape take and give up an input method's suggestion, and neither leave nor clear the filter", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const answer = { projects: [], totals: null, annotations: [], indexing: { done: true } };
  vi.stubGlobal("fetch", async () => Response.json(answer));
  window.history.replaceState(null, "", `/?q=${encodeURIComponent("にほん")}`);
  document.body.innerHTML = "<div></div>";
  const root = createRoot(document.body.firstElementChild as HTMLElement);
  const field = createRef<HTMLInputElement>();
  const element = (
    <QueryClientProvider client={new QueryClient()}>
      <NuqsAdapter>
        <FilterBar fieldRef={field} sessions={[]} shown={[]} problemId={null} />
      </NuqsAdapter>
    </QueryClientProvider>
  );
  await act(async () => root.render(element));
  const input = field.current as HTMLInputElement;
  input.focus();
  const press = (key: string, isComposing: boolean) =>
    act(
      async () => void input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, isComposing })),
    );
  await press("Enter", true);
  expect(document.activeElement).toBe(input);
  await press("Escape", true);
  expect(document.activeElement).toBe(input);
  expect(input.value).toBe("にほん");
  await press("Escape", false);
  expect(input.value).toBe("");
  act(() => root.unmount());
});
