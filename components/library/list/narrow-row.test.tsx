// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeSummary } from "@/lib/testing/session-summary";
import { toggleSelected } from "../selected-sessions";
import { NarrowRow } from "./session-row";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

it("a selected session is marked on a narrow page, too", async () => {
  const session = makeSummary({ title: "Retry once" });
  await drawnPage().draw(
    <NarrowRow session={session} project={undefined} sort="active" current={false} tabStop focused={false} />,
  );
  const isMarked = () => document.body.textContent?.includes("Selected");
  expect(isMarked()).toBe(false);
  act(() => toggleSelected(session.id));
  expect(isMarked()).toBe(true);
  act(() => toggleSelected(session.id));
  expect(isMarked()).toBe(false);
});
