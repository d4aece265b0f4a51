// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { FollowState } from "@/components/present/follow-state";
import { SessionContext } from "@/components/session/session-store";
import { TooltipProvider } from "@/components/ui/tooltip";
import { openPageDialog, shownDialog } from "@/lib/client/address/page-dialogs";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { SessionMenu } from "./session-menu";

const copied = vi.hoisted(() => [] as string[]);
vi.mock("@/lib/client/copy-text", () => ({
  copyText: async (text: string) => {
    copied.push(text);
    return true;
  },
}));
// What it shows takes more of a session than its menu does.
vi.mock("@/components/session/about/about-dialog", () => ({ AboutDialog: () => null }));

const COMMAND = "cd /home/dev/larder && claude --resume 1";

async function openMenu(resumeProblem: SessionDetail["resumeProblem"]): Promise<void> {
  const session = {
    ...{ id: "s1" as SessionId, counts: { branches: 1 }, branches: [], restoreCommand: null },
    ...{ resumeCommand: COMMAND, resumeProblem },
  };
  const thread = { get: () => ({ position: { turn: 0 } }) };
  const store = { following: new FollowState("s1" as SessionId), views: {}, panes: {}, thread };
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  await drawnPage().draw(
    <TooltipProvider>
      <SessionContext value={{ store, choice: { agent: null, branch: null } } as never}>
        <SessionMenu
          session={session as unknown as SessionDetail}
          folded={false}
          onFold={null}
          onPrint={() => undefined}
        />
      </SessionContext>
    </TooltipProvider>,
  );
  const trigger = document.querySelector<HTMLButtonElement>('button[aria-label="More"]');
  await act(async () => {
    trigger?.focus();
    trigger?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  });
}

const itemNamed = (words: string) =>
  [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(({ textContent }) =>
    textContent?.includes(words),
  );

it("copies the command that resumes the session", async () => {
  await openMenu(null);
  await act(async () => itemNamed("Copy resume command")?.click());
  expect(copied).toEqual([COMMAND]);
});

it("copies no command that makes a folder anew: it opens what says that the folder is gone", async () => {
  copied.length = 0;
  await openMenu({
    message: "The folder /home/dev/larder is not there",
    hint: "If it was removed, it can be made again, empty.",
    command: `mkdir -p /home/dev/larder && ${COMMAND}`,
    moveCommand: null,
  });
  expect(itemNamed("Copy resume command")).toBeUndefined();
  await act(async () => itemNamed("How to resume")?.click());
  expect([copied, shownDialog()]).toEqual([[], "about"]);
  await act(async () => openPageDialog(null));
});
