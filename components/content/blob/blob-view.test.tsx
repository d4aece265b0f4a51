// @vitest-environment page
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/rows";
import { BlobView } from "./blob-view";

const IMAGE = {
  recordId: "m~1" as RecordId,
  n: 0,
  kind: "image",
  mediaType: "image/png",
  bytes: 3,
  name: null,
} as BlobRef;

it("an image has one address in the page and on its sheet, which is revoked with the last view of it", async () => {
  const page = drawnPage();
  vi.stubGlobal("fetch", async () => new Response(new Uint8Array([1, 2, 3])));
  const made = vi.spyOn(URL, "createObjectURL");
  const revoked = vi.spyOn(URL, "revokeObjectURL");
  const view = <BlobView sessionId={"s" as SessionId} blob={IMAGE} />;
  const shown = () => [...document.querySelectorAll("img")].map(({ src }) => src);
  await page.draw([<p key="page">{view}</p>]);
  await page.settle();
  const [first] = shown();
  expect(first).toMatch(/^blob:/);
  await page.draw([<p key="page">{view}</p>, <p key="sheet">{view}</p>]);
  expect(shown()).toEqual([first, first]);
  await page.draw([<p key="page">{view}</p>]);
  expect([made.mock.calls.length, revoked.mock.calls.length]).toEqual([1, 0]);
  page.leave();
  expect(revoked.mock.calls).toEqual([[first]]);
});
