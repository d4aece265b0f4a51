// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { Toaster } from "@/components/ui/toast";
import { shownDialog } from "@/lib/client/address/page-dialogs";
import { copiedTexts } from "@/lib/testing/copied-texts";
import { drawnPage } from "@/lib/testing/drawn-page";
import { ResumeButton } from "./resume-button";

vi.mock("@/lib/client/copy-text", async () => (await import("@/lib/testing/copied-texts")).COPY_MODULE);

const COMMAND = "cd /home/dev/larder && claude --resume 1";
const clickIt = () => act(async () => document.querySelector("button")?.click());

it("copies the command, and says what to do with it", async () => {
  await drawnPage().draw(
    <>
      <ResumeButton resumeCommand={COMMAND} resumeProblem={null} />
      <Toaster />
    </>,
  );
  await clickIt();
  expect(copiedTexts).toEqual([COMMAND]);
  expect(document.body.textContent).toContain("Resume command copied: run it in a terminal");
});

it("copies no command that makes a folder anew unasked: it opens what says that the folder is gone", async () => {
  const problem = {
    message: "The folder /home/dev/larder is not there",
    hint: "If it was removed, it can be made again, empty.",
    command: `mkdir -p /home/dev/larder && ${COMMAND}`,
    moveCommand: null,
  };
  copiedTexts.length = 0;
  await drawnPage().draw(<ResumeButton resumeCommand={COMMAND} resumeProblem={problem} />);
  const button = document.querySelector("button");
  expect(button?.title).toBe("The folder /home/dev/larder is not there: see how to resume it");
  await clickIt();
  expect(copiedTexts).toEqual([]);
  expect(shownDialog()).toBe("about");
});
