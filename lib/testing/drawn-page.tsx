import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { onTestFinished, vi } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { failOnConsoleErrors } from "./console-errors";

const MAX_WAIT_MS = 60_000;

/** Taken before any test replaces it. */
const { setTimeout } = globalThis;
const task = (afterMs = 0) => new Promise((resolve) => setTimeout(resolve, afterMs));

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
 * repeated, and warnings of React fail the test. All stubbed globals end with it. For another page, as one that is loaded anew, leave this one first.
 */
export function drawnPage(): DrawnPage {
  failOnConsoleErrors();
  forgetQueuedAddress();
  document.body.innerHTML = "<div></div>";
  const place = document.body.firstElementChild as HTMLElement;
  let root: Root | null = null;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const leave = () => {
    // React, of which there is one for all pages of a process, tells of no selection while a button is down.
    act(() => void place.dispatchEvent(new MouseEvent("mouseup", { bubbles: true })));
    if (root) act(() => root?.unmount());
    root = null;
  };
  onTestFinished(async () => {
    leave();
    client.clear();
    // What a page sends as it is left is still answered.
    await task();
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
        while (client.isFetching() + client.isMutating() > 0) await task(5);
        await task();
      }),
  };
}

/** What an earlier page of this process was about to put in its address as it left would be taken for what is in this one's. */
function forgetQueuedAddress(): void {
  const root = createRoot(document.createElement("div"));
  act(() => root.render(<NuqsTestingAdapter resetUrlUpdateQueueOnMount>{null}</NuqsTestingAdapter>));
  act(() => root.unmount());
}

/**
 * Waits until this throws no more. The page is drawn between two attempts and at no other time, so that no update of it
 * comes outside of `act`, as it may with `vi.waitFor` alone.
 *
 * @throws what it threw last, after a minute
 */
export async function until(check: () => void): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  for (;;) {
    await act(() => task(5));
    try {
      return check();
    } catch (fault) {
      if (performance.now() > end) throw fault;
    }
  }
}
