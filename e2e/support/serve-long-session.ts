import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateTree } from "@/lib/testing/generate/generate-tree";
import { startServer, type TestServer } from "./server";

/** A server that shows a generated session of 4 MB, with its id and the configuration folder that contains it. */
export type LongSessionServer = TestServer & { longSession: string; folder: string };

/** Serves a long session in addition to `claudeDirs`. `stop` also removes its log. */
export async function serveLongSession(claudeDirs: string[] = []): Promise<LongSessionServer> {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-long-session-"));
  const { sessions } = generateTree({ seed: 5, bytes: 4_000_000, dir: folder, sessions: 1 });
  const server = await startServer({ claudeDirs: [folder, ...claudeDirs] });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...server, longSession: sessions[0]?.id ?? "", folder, stop };
}
