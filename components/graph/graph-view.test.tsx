// @vitest-environment page
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import { GraphView } from "./graph-view";

it("a graph that cannot be loaded says why, and what to do", async () => {
  const error = { code: "file-unreadable", message: "Permission denied", hint: "Check who may read it." };
  vi.stubGlobal("fetch", async () => Response.json({ error }, { status: 409 }));
  const page = drawnPage();
  const nothing = () => undefined;
  await page.draw(
    <GraphView
      sessionId={"s" as SessionId}
      windows={null}
      at={null}
      onSelect={nothing}
      onGo={nothing}
      paper={null}
    />,
  );
  await page.settle();
  expect(document.querySelector('[role="alert"]')?.textContent).toBe(
    "Couldn’t load the graphPermission deniedCheck who may read it.Try again",
  );
});
