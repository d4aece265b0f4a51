import type { SessionFiles } from "./session-files";

/** Changes whenever any of the files does. */
export function signatureOf({ main, agents }: SessionFiles): string {
  return [main, ...agents]
    .map(({ path, dev, ino, bytes, mtimeMs }) => `${path} ${dev} ${ino} ${bytes} ${mtimeMs}`)
    .join("\n");
}

/** Bytes of all of a session's logs. */
export function bytesOf({ main, agents }: SessionFiles): number {
  return agents.reduce((sum, agent) => sum + agent.bytes, main.bytes);
}
