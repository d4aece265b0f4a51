// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { settled } from "@/lib/server/export/html/log-reader";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { resumeOf } from "@/lib/server/session/answers/resume";
import { createSessions } from "@/lib/server/session/sessions";
import { drawnPage } from "@/lib/testing/drawn-page";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { AboutDialog } from "./about-dialog";

it("lets each command be copied by which a session of a missing folder is resumed", async () => {
  const cwd = "/nowhere/at all/shop";
  const root = makeTree({
    [`projects/-nowhere-at-all-shop/${uuid(1)}.jsonl`]: [{ ...prompt("fix it"), cwd }, answer("done")],
  });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const id = catalog.summaries()[0]?.id as SessionId;
  const sessions = createSessions(catalog, { scan });
  const detail = await settled(() => sessions.detail(id));
  const session = { ...detail, ...resumeOf(catalog, catalog.sessionFiles(id), []) };
  const page = drawnPage();
  vi.stubGlobal("fetch", async () =>
    Response.json({ related: [], nextCursor: null, extras: [], commits: [], pullRequests: [] }),
  );
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue(undefined);
  await page.draw(<AboutDialog session={session} open onOpenChange={() => undefined} />);
  await page.settle();
  for (const button of document.querySelectorAll<HTMLElement>('[aria-label^="Copy"]'))
    await act(async () => button.click());
  await page.settle();
  expect(copied.mock.calls.map(([text]) => text)).toEqual([
    cwd,
    `mkdir -p '${cwd}' && cd '${cwd}' && claude --resume ${uuid(1)}`,
    `backscroll restore ${id} --to ${root} --project NEW_FOLDER`,
    `${uuid(1)}.jsonl`,
  ]);
});
