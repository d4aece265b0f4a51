// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { afterWrites } from "@/lib/client/address/address-writes";
import { drawnPage } from "@/lib/testing/drawn-page";
import { HiddenLine } from "./project-head";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

it.each([
  ["", "is:hidden"],
  ["retry -draft", "retry -draft is:hidden"],
  // An OR binds less tightly than adjacent words.
  ["retry OR backoff", "(retry OR backoff) is:hidden"],
  ["(retry OR backoff) till", "(retry OR backoff) till is:hidden"],
])("the hidden sessions of %s are shown, and no others", async (q, shown) => {
  window.history.replaceState(null, "", `/?${new URLSearchParams({ q })}`);
  await drawnPage().draw(<HiddenLine library={{ hidden: 2, settled: true } as never} />);
  await act(async () => {
    document.querySelector("button")?.click();
    await new Promise<void>((resolve) => afterWrites(resolve));
  });
  expect(new URL(window.location.href).searchParams.get("q")).toBe(shown);
});
