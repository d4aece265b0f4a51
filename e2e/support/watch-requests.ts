import type { Page, Request } from "@playwright/test";

const QUIET_MS = 400;

/** Watches a page's API requests. The returned function resolves once there have been none for a while. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let changedAtMs = Date.now();
  const note = (change: (request: Request) => void) => (request: Request) => {
    // An event stream never ends.
    if (!request.url().includes("/api/") || request.url().includes("/api/events")) return;
    changedAtMs = Date.now();
    change(request);
  };
  page.on(
    "request",
    note((request) => open.add(request)),
  );
  for (const end of ["requestfinished", "requestfailed"] as const) {
    page.on(
      end as "requestfinished",
      note((request) => open.delete(request)),
    );
  }
  return async () => {
    changedAtMs = Date.now();
    while (open.size > 0 || Date.now() - changedAtMs < QUIET_MS) await page.waitForTimeout(50);
  };
}
