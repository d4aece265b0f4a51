import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { LogTail } from "@/lib/server/live/told/log-tail";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { ClientRegistry } from "@/lib/testing/live/client-registry";
import { answer, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { configFor, idOf, openFolder } from "@/lib/testing/transcript";

it("what a client does waits for no log of another one, that a disk does not give", async () => {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-held-log-"));
  const project = join(dir, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  const timestamp = new Date().toISOString();
  const log = (session: string) => join(project, `${session}.jsonl`);
  for (const session of [uuid(1), uuid(2)])
    writeFileSync(log(session), toText([prompt("Test it", { timestamp }), answer("Done", { timestamp })]));
  const folder = await openFolder(dir);
  const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
  // Nothing is watched: only what the test touches is looked at.
  const live = new Live(folder.catalog, folder.sessions, scanner, configFor(dir));
  const state = (session: string) => live.state(idOf(folder, session))?.state;
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  onTestFinished(() => {
    give();
    vi.restoreAllMocks();
    live.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  live.touch(log(uuid(1)));
  await expect.poll(() => state(uuid(1))).toBe("unknown");
  const { read } = LogTail.prototype;
  const held: string[] = [];
  vi.spyOn(LogTail.prototype, "read").mockImplementation(async function (this: LogTail, root, path) {
    if (path.endsWith(`${uuid(2)}.jsonl`)) {
      held.push(path);
      await given;
    }
    return read.call(this, root, path);
  });
  const other = new ClientRegistry(dir, uuid(2), 4_194_002);
  other.tell("busy");
  live.touch(other.path);
  await expect.poll(() => held.length).toBe(1);
  const client = new ClientRegistry(dir, uuid(1), 4_194_001);
  client.tell("waiting", "permission prompt");
  live.touch(client.path);
  await expect.poll(() => state(uuid(1))).toBe("waiting");
  expect(state(uuid(2))).toBe(undefined);
  give();
  await expect.poll(() => state(uuid(2))).toBe("running");
});
