import { expect, it } from "vitest";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { Guest } from "@/lib/server/shares/shares";
import { TicketBody } from "@/lib/wire/requests/exports";
import { checkTicketPath } from "./caller";
import type { Library } from "./library";

const OWN = "a~b";

/** A library with one session. */
const library = {
  catalog: {
    settle: async () => undefined,
    sessionFiles: (id: string) => {
      if (id !== OWN) throw new ViewerError("session-not-found", "There is no such session");
    },
  },
} as unknown as Library;

const guest = { kind: "guest", guest: { comments: false } as Guest<Library> } as const;

it.each([
  [`/api/sessions/${OWN}/export?format=html`, "given"],
  [`/api/sessions/${OWN}/changed-files?`, "given"],
  ["/api/sessions/other/export?format=html", "session-not-found"],
  ["/api/sessions/other/changed-files?", "session-not-found"],
  [`/api/export?sessions=${OWN}&format=html`, "no-such-endpoint"],
  ["/api/token", "no-such-endpoint"],
])("a ticket of %s is for a guest: %s", async (path, answer) => {
  expect(TicketBody.safeParse({ path }).success).toBe(true);
  const asked = checkTicketPath(path, guest, library).then(() => "given");
  expect(await asked.catch(({ code }: ViewerError) => code)).toBe(answer);
  expect(await checkTicketPath(path, { kind: "owner" }, library)).toBeUndefined();
});
