// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { SessionContext } from "@/components/session/session-store";
import { api } from "@/lib/client/api";
import { ApiError, UNREACHABLE } from "@/lib/client/connection/api-error";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import type { RelatedResponse } from "@/lib/wire/session";
import { SideTop } from "./compared-sides";

const answer = (id: string, nextCursor: string | null): RelatedResponse => ({
  related: [
    {
      ...{ id: id as SessionId, title: `copy ${id}`, relation: "fork" },
      ...{ lastActiveAtMs: null, sharedRecords: 0, lastSharedRecordId: null, shared: null },
    },
  ],
  nextCursor,
});

const SIDE = {
  ...{
    sessionId: "s",
    title: "The session",
    branch: "b1",
    prompt: "go",
    active: true,
    number: 1,
    branches: 1,
  },
  ...{ lastActiveAtMs: null, abandoned: null, contextTokens: null },
  own: {
    turns: 1,
    toolCalls: 0,
    toolErrors: 0,
    toolsDenied: 0,
    agents: 0,
    durationMs: null,
    tokens: 0,
    added: 0,
    removed: 0,
  },
};

it("a side offers all sessions that share its history, some at a time", async () => {
  const asked = vi.spyOn(api, "related").mockResolvedValueOnce(answer("a", "1"));
  const setUrl = vi.fn();
  const page = drawnPage();
  await page.draw(
    <SessionContext value={{ sessionId: "s", session: null, setUrl } as never}>
      <SideTop side={SIDE as never} name="right" lane={0} />
    </SessionContext>,
  );
  await page.settle();
  await act(async () =>
    document
      .querySelector("button")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })),
  );
  const item = (text: string) =>
    [...document.querySelectorAll<HTMLElement>("[role^=menuitem]")].find((one) =>
      one.textContent?.includes(text),
    );
  const choose = async (text: string) => {
    await act(async () => item(text)?.click());
    await page.settle();
  };
  expect(item("copy a")).toBeDefined();
  asked.mockRejectedValueOnce(new ApiError(0, UNREACHABLE));
  await choose("Show more");
  expect(document.querySelector("[role=menu]")?.textContent).toContain("Backscroll does not answer.");
  asked.mockResolvedValueOnce(answer("b", null));
  await choose("Show more");
  expect(document.querySelector("[role=menu]")?.textContent).not.toContain("does not answer");
  expect(item("Show more")).toBeUndefined();
  expect(document.activeElement?.closest("[role=menu]")).not.toBeNull();
  await choose("copy b");
  expect(setUrl).toHaveBeenCalledWith({ right: "b", file: null }, "replace");
});

it("a refused call is no error of its side, as everywhere else", async () => {
  vi.spyOn(api, "related").mockResolvedValue(answer("a", null));
  const page = drawnPage();
  const own = { ...SIDE.own, toolCalls: 5, toolErrors: 2, toolsDenied: 1 };
  await page.draw(
    <SessionContext value={{ sessionId: "s", session: null, setUrl: vi.fn() } as never}>
      <SideTop side={{ ...SIDE, own } as never} name="left" lane={0} />
    </SessionContext>,
  );
  expect(document.body.textContent).toContain("5 tools1 error1 denied");
});
