import type { SessionFiles } from "@/lib/server/library/session-files";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** The command that goes on with a session in a terminal, for a POSIX shell; `null` if its log is not named by a UUID. */
export function resumeCommand({ id, projectPath }: Pick<SessionFiles, "id" | "projectPath">): string | null {
  const uuid = UUID.exec(id)?.[0];
  return uuid ? `cd ${shellWord(projectPath)} && claude --resume ${uuid}` : null;
}

function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
