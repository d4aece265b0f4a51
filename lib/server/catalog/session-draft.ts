import { assignAgents } from "./assign-agents";
import type { FoundFile } from "./folder-entries";
import type { FoundAgent, ListedFolder } from "./list-folder";
import { stem } from "./list-folder";
import { type LogFacts, noFacts } from "./log-facts";
import type { AgentLog, LogFile } from "./session-files";
import { shortHash } from "./short-hash";
import { guessPath, slugOf } from "./slug-path";

export type Problem = { code: string; message: string; hint: string };

/** What was read of a log's ends, or why it could not be read. */
export type ReadFacts = { facts: LogFacts; problem: Problem | null };

/** A session before it has an id: ids depend on all folders, this on one. */
export type SessionDraft = {
  root: string;
  stem: string;
  main: LogFile;
  agents: AgentLog[];
  folder: string | null;
  facts: LogFacts;
  problem: Problem | null;
  path: string;
  pathGuessed: boolean;
  /** From a summary that another log of the folder holds for this one. */
  summaryTitle: string | null;
};

export type FolderDraft = { sessions: SessionDraft[]; outside: FoundFile[] };

type Source = { root: string; slug: string; kind: "config" | "loose"; only: string | null };

/**
 * The sessions of a listed folder, and its files that belong to none: without a message, journals,
 * agents without a session. Where the reader named the folder (`loose`), the last are sessions too,
 * and where one log was named (`only`), nothing beside it counts.
 */
export function draftSessions(
  listed: ListedFolder,
  source: Source,
  read: (path: string) => ReadFacts,
): FolderDraft {
  const isSession = (file: FoundFile) =>
    read(file.path).facts.hasMessages || read(file.path).problem !== null;
  const mains = listed.mains.filter(isSession);
  const stems = new Set(mains.map((main) => stem(main.name)));
  const { byStem, orphans } = assignAgents(
    listed,
    (name) => stems.has(name),
    (path) => read(path).facts,
  );
  const alone = source.kind === "loose" && source.only === null ? orphans.filter(isSession) : [];
  const titles = summaryTitles(listed.mains, read);
  const cwds = new Set(mains.map((main) => read(main.path).facts.cwd).filter((cwd) => cwd !== null));
  const shared = cwds.size === 1 ? [...cwds][0] : [...cwds].find((cwd) => slugOf(cwd) === source.slug);

  const sessions = [...mains, ...alone].map((main): SessionDraft => {
    const { facts, problem } = read(main.path);
    const name = stem(main.name);
    const path = facts.cwd ?? shared;
    return {
      root: source.root,
      stem: name,
      main: toLogFile(main, main.name, "m"),
      agents: (byStem.get(name) ?? []).map((agent) => toAgentLog(agent, read(agent.path).facts)),
      folder: listed.sessionFolders.get(name)?.path ?? null,
      facts,
      problem,
      path: path ?? guessPath(source.slug),
      pathGuessed: path === undefined,
      summaryTitle: lastTitle(facts, titles),
    };
  });
  const used = new Set(
    sessions.flatMap(({ main, agents }) => [main.path, ...agents.map((agent) => agent.path)]),
  );
  const journals = [
    ...listed.journals,
    ...[...listed.sessionFolders.values()].flatMap((folder) => folder.journals),
  ];
  const outside = [...listed.mains, ...orphans, ...journals].filter((file) => !used.has(file.path));
  return { sessions, outside };
}

/** By the uuid that a summary names as the end of what it sums up. */
function summaryTitles(mains: FoundFile[], read: (path: string) => ReadFacts): Map<string, string> {
  const summaries = mains.flatMap((main) => read(main.path).facts.summaries);
  return new Map(summaries.flatMap(({ leafUuid, text }) => (leafUuid ? [[leafUuid, text] as const] : [])));
}

function lastTitle(facts: LogFacts, titles: Map<string, string>): string | null {
  const own = facts.summaries.findLast((summary) => summary.leafUuid === null)?.text ?? null;
  if (titles.size === 0) return own;
  const leaf = facts.lastUuids.findLast((uuid) => titles.has(uuid));
  return (leaf === undefined ? null : titles.get(leaf)) ?? own;
}

function toLogFile({ path, bytes, ino, dev, mtimeMs }: FoundFile, name: string, key: string): LogFile {
  return { path, name, key, bytes, ino, dev, mtimeMs };
}

function toAgentLog(agent: FoundAgent, facts: LogFacts = noFacts()): AgentLog {
  const agentId = stem(agent.name).replace(/^agent-/, "");
  return {
    ...toLogFile(agent, agent.relative, shortHash(agent.relative, 8)),
    metaPath: agent.metaPath,
    agentId,
    warmUp: facts.warmUp,
  };
}
