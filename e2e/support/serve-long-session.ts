import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateTree } from "@/lib/testing/generate/generate-tree";
import { startServer, type TestServer } from "./server";

/** A server that shows a made-up session of 4 MB, by its id, and the configuration folder that holds it. */
export type LongSessionServer = TestServer & { longSession: string; folder: string };

/** Serves a long session beside what else lies in `claudeDirs`. `stop` removes its log as well. */
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
