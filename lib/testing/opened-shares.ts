import { onTestFinished } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { scanSecrets } from "@/lib/server/secrets/scan-secrets";
import { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import { createSessions, type SessionQueries } from "@/lib/server/session/sessions";
import { CopyWorker } from "@/lib/server/shares/copy-task";
import { Shares } from "@/lib/server/shares/shares";
import type { SessionId } from "@/lib/wire/ids";
import type { Health } from "@/lib/wire/library";
import { ShareBody } from "@/lib/wire/requests/shares";
import type { Access } from "@/lib/wire/shares";
import { answer, makeTree, prompt, uuid } from "./log-tree";
import { rowsOf } from "./transcript";

/** The session of `shopLogs` that tests share. */
export const SHARED = uuid(1) as SessionId;
/** The session beside it, of which a guest may know nothing. */
export const UNSHARED = uuid(2) as SessionId;
/** A secret in the first prompt of the session that is shared. */
export const SHARED_SECRET = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5";
/** Where the log of the session that is shared stands below the root. */
export const SHARED_LOG = `projects/-home-marlowe-shop/${SHARED}.jsonl`;

/** The library over the copy of a link. */
export type GuestLibrary = { catalog: Catalog; sessions: SessionQueries; logs: string; dispose(): unknown };

/** A server's shares, and what they have done so far. */
type OpenedShares = {
  root: string;
  dataDir: string;
  catalog: Catalog;
  shares: Shares<GuestLibrary>;
  lost: Health["warnings"];
  /** What each library over a copy was told of its link. */
  accesses: Access[];
  disposed: () => number;
};

/**
 * A server's shares over one folder, with all work in this thread, until the test has finished.
 * @param ends what the library of a link does as it is closed, given the copy's data folder
 */
export async function openShares(
  root: string,
  dataDir = makeTree({}),
  ends: (data: string) => unknown = () => undefined,
): Promise<OpenedShares> {
  // Not listed yet: a link may be made right after the start.
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  const copies = new CopyWorker();
  let disposed = 0;
  const lost: Health["warnings"] = [];
  const accesses: Access[] = [];
  const shares = new Shares<GuestLibrary>({
    catalog,
    secrets: new SessionSecrets(catalog, scanSecrets, dataDir),
    dataDir,
    ask: (task) => copies.do(task),
    lost: (warning) => lost.push(warning),
    open: (logs, data, access) => {
      accesses.push(access);
      const copied = new Catalog([{ path: logs, kind: "config" }]);
      return {
        catalog: copied,
        sessions: createSessions(copied, { scan }),
        logs,
        dispose: () => {
          disposed += 1;
          return ends(data);
        },
      };
    },
  });
  onTestFinished(() => shares.stop());
  return { root, dataDir, catalog, shares, lost, accesses, disposed: () => disposed };
}

/** Lines below one another. @param from how many of the thread stand above them */
export const chained = (lines: readonly Record<string, unknown>[], from = 0) =>
  lines.map((line, at) => ({
    ...line,
    uuid: uuid(100 + from + at),
    parentUuid: from + at === 0 ? null : uuid(99 + from + at),
  }));

/** Logs of a project with a session to be shared, and one that is not. */
export const shopLogs = () =>
  makeTree({
    [SHARED_LOG]: chained([
      prompt(`Use ${SHARED_SECRET}`, { cwd: "/home/marlowe/shop" }),
      answer("Used"),
      prompt("ask anna@heronmail.org and bo@heronmail.org"),
    ]),
    [`projects/-home-marlowe-shop/${UNSHARED}.jsonl`]: [prompt("of no concern")],
  });

/** What is asked for a link to the session: what the page asks by default, and `more`. */
export const shareBody = (more: object = {}) => ShareBody.parse({ sessionId: SHARED, ...more });

/** What a visitor with this token sees; fails where they may not enter. */
export async function guestLibrary(shares: Shares<GuestLibrary>, token: string): Promise<GuestLibrary> {
  const guest = await shares.guest(token);
  if (!guest) throw new Error("The token is refused");
  return guest.library();
}

/** The prompts that a visitor with this token reads. */
export async function guestPrompts(shares: Shares<GuestLibrary>, token: string): Promise<string[]> {
  const { sessions, catalog } = await guestLibrary(shares, token);
  const id = catalog.summaries()[0]?.id as SessionId;
  await catalog.refresh(id);
  const { rows } = await rowsOf({ catalog, sessions }, id, "everything");
  return rows.flatMap((row) => ("prompt" in row && row.prompt ? [row.prompt.text] : []));
}
