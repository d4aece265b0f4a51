// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { addScope } from "@/lib/client/key-registry";
import { drawnPage } from "@/lib/testing/drawn-page";
import { PageDialogs } from "./page-dialogs";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

const listed = () => [...document.querySelectorAll("li kbd")].map(({ textContent }) => textContent);

it("lists the keys that work, at once when one-letter keys are turned off and on", async () => {
  vi.stubGlobal("fetch", async () => Response.json({}));
  const end = addScope(() => [{ keys: ["x", "Enter"], label: "open", group: "Move", run: () => undefined }]);
  await drawnPage().draw(<PageDialogs />);
  await act(async () => openPageDialog("keys"));
  expect(listed()).toContain("x");
  const off = () =>
    act(async () =>
      document.querySelector<HTMLInputElement>('[role="dialog"] input[type="checkbox"]')?.click(),
    );
  await off();
  expect(listed()).not.toContain("x");
  await off();
  expect(listed()).toContain("x");
  await act(async () => end());
});
