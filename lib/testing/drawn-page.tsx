import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/react";
import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { onTestFinished, vi } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";

/** A page that one test draws in happy-dom, with what every page has around its views: queries, address, tooltips. */
export type DrawnPage = {
  client: QueryClient;
  /** Draws this in the page, in place of what was drawn before. */
  draw: (view: ReactNode) => Promise<void>;
  /** Waits for all answers, and for the page to show them, which it does a task later. */
  settle: () => Promise<void>;
  /** Takes what is drawn out of the page, as the end of the test does by itself. What is drawn then begins anew. */
  leave: () => void;
};

/**
 * An empty page until the test has finished, called in the test or in a `beforeEach`. Failing requests are not
 * repeated. All stubbed globals end with it. For another page, as one that is loaded anew, leave this one first.
 */
export function drawnPage(): DrawnPage {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  const place = document.body.firstElementChild as HTMLElement;
  let root: Root | null = null;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const leave = () => {
    if (root) act(() => root?.unmount());
    root = null;
  };
  onTestFinished(() => {
    leave();
    client.clear();
    vi.unstubAllGlobals();
  });
  return {
    client,
    leave,
    draw: (view) =>
      act(async () => {
        root ??= createRoot(place);
        root.render(
          <QueryClientProvider client={client}>
            <NuqsAdapter>
              <TooltipProvider>{view}</TooltipProvider>
            </NuqsAdapter>
          </QueryClientProvider>,
        );
      }),
    settle: () =>
      act(async () => {
        while (client.isFetching() + client.isMutating() > 0)
          await new Promise((resolve) => setTimeout(resolve, 5));
        await new Promise((resolve) => setTimeout(resolve));
      }),
  };
}
