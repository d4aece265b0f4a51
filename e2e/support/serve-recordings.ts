import { type RecordedVersion, type Recording, unpackRecording } from "@/lib/testing/recorded";
import { type ServerOptions, startServer, type TestServer } from "./server";

/** A server that shows recorded sessions, with the recordings it serves, in the order asked for. */
export type RecordedServer = TestServer & { recordings: [Recording, ...Recording[]] };

/**
 * Serves the whole recordings of these client versions, and what else `options` name. `stop` also removes the
 * recordings; where the server does not start, they are removed at once.
 */
export async function serveRecordings(
  [first, ...others]: readonly [RecordedVersion, ...RecordedVersion[]],
  options: ServerOptions = {},
): Promise<RecordedServer> {
  const recordings: RecordedServer["recordings"] = [unpackRecording(first), ...others.map(unpackRecording)];
  const remove = () => {
    for (const recording of recordings) recording[Symbol.dispose]();
  };
  const claudeDirs = [...(options.claudeDirs ?? []), ...recordings.map(({ claudeDir }) => claudeDir)];
  const server = await startServer({ ...options, claudeDirs }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const stop = async () => {
    await server.stop();
    remove();
  };
  return { ...server, recordings, stop };
}
