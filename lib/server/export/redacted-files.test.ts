import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { scanSecrets } from "@/lib/server/secrets/scan-secrets";
import { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import { createSessions } from "@/lib/server/session/sessions";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { exportSession } from "./export-session";

const ID = uuid(1) as SessionId;
const ENV = "/home/dev/shop/.env";
const SETTINGS = ["NODE_ENV=production", "ADMIN_PASSPHRASE=swordfish-harbour-lamp", "PIN=4711abz"];
const AT = "2026-01-02T03:04:05.000Z";
const BACKUP = `${createHash("sha256").update(ENV).digest("hex").slice(0, 16)}@v1`;

async function open() {
  const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "cat .env" } };
  const saved = `/home/dev/.claude/projects/-home-dev-shop/${ID}/tool-results/b1x2y3z4w.txt`;
  const content = `<persisted-output>\nOutput too large. Full output saved to: ${saved}\n</persisted-output>`;
  const lines = [
    prompt("look at the settings", { uuid: uuid(101), parentUuid: null }),
    {
      ...{ type: "assistant", uuid: uuid(102), parentUuid: uuid(101), timestamp: AT },
      message: { id: "msg_1", role: "assistant", model: "claude-x", content: [call] },
    },
    {
      ...{ type: "user", uuid: uuid(103), parentUuid: uuid(102), timestamp: AT },
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content }] },
      toolUseResult: { stdout: "", stderr: "", persistedOutputPath: saved },
    },
    {
      ...{ type: "file-history-snapshot", messageId: uuid(101) },
      snapshot: {
        messageId: uuid(101),
        trackedFileBackups: { [ENV]: { backupFileName: BACKUP, version: 1, backupTime: AT } },
        timestamp: AT,
      },
    },
  ];
  const root = makeTree({
    [`projects/-home-dev-shop/${ID}.jsonl`]: lines,
    [`projects/-home-dev-shop/${ID}/tool-results/b1x2y3z4w.txt`]: SETTINGS,
    [`file-history/${ID}/${BACKUP}`]: SETTINGS,
  });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const redaction = await new SessionSecrets(catalog, scanSecrets).redaction(ID);
  return { sessions: createSessions(catalog, { scan }), files: catalog.sessionFiles(ID), redaction };
}

test("a redacted page shows only harmless values of a .env that was printed into a file beside the log", async () => {
  const { sessions, files, redaction } = await open();
  const pieces: Uint8Array[] = [];
  const file = await exportSession(sessions, files, { format: "html", redaction });
  for await (const piece of file.pieces) pieces.push(Buffer.from(piece));
  const html = Buffer.concat(pieces).toString();
  expect(html).toContain("NODE_ENV=production");
  expect(html).toContain("PIN=[env-value 2]");
  for (const secret of ["swordfish-harbour-lamp", "4711abz"]) expect(html).not.toContain(secret);
});

test("and of the backup of a .env", async () => {
  const { sessions, redaction } = await open();
  const query = { path: ENV, at: null, blame: false, against: null };
  const { content } = await settled(() => sessions.redactedBy(redaction).file(ID, query));
  expect(content?.trim().split("\n")).toEqual([
    "NODE_ENV=production",
    "ADMIN_PASSPHRASE=[env-value 1]",
    "PIN=[env-value 2]",
  ]);
});
