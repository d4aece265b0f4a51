// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { api } from "@/lib/client/api";
import { ApiError, UNREACHABLE } from "@/lib/client/connection/api-error";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import type { RelatedResponse } from "@/lib/wire/session";
import { RelatedList } from "./related-list";

const answer = (id: string, nextCursor: string | null): RelatedResponse => ({
  related: [
    {
      ...{ id: id as SessionId, title: `copy ${id}`, relation: "fork" },
      ...{ lastActiveAtMs: null, sharedRecords: 0, lastSharedRecordId: null, shared: null },
    },
  ],
  nextCursor,
});

it("says why further sessions could not be listed, below those that are", async () => {
  const asked = vi.spyOn(api, "related").mockResolvedValueOnce(answer("a", "1"));
  const page = drawnPage();
  await page.draw(<RelatedList id={"s" as SessionId} />);
  await page.settle();
  const more = () => [...document.querySelectorAll("button")].find((one) => one.textContent === "Show more");
  asked.mockRejectedValueOnce(new ApiError(0, UNREACHABLE));
  await act(async () => more()?.click());
  await page.settle();
  expect(document.body.textContent).toContain("copy a");
  expect(document.body.textContent).toContain("Backscroll does not answer.");
  asked.mockResolvedValueOnce(answer("b", null));
  await act(async () => more()?.click());
  await page.settle();
  expect(document.body.textContent).toContain("copy b");
  expect(document.body.textContent).not.toContain("does not answer");
  expect(more()).toBeUndefined();
});
