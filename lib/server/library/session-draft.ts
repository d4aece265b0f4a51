import { join } from "node:path";
import { type FoundFile, shortHash, slugOf } from "@/lib/server/disk/folder-entries";
import type { UnreadFile } from "@/lib/server/disk/log-names";
import { type Problem, stem } from "@/lib/server/disk/log-names";
import { ID_PATTERN } from "@/lib/wire/ids";
import type { FolderSource } from "./find-folders";
import {
  type Assigned,
  assignAgents,
  type FoundAgent,
  type FoundLog,
  type ListedFolder,
} from "./list-folder";
import { type LogFacts, mergedFacts } from "./log-facts";
import type { AgentLog, LogFile, MainLog } from "./session-files";

/** Facts from a log's two ends, or the reason why it could not be read. */
export type ReadFacts = { facts: LogFacts; problem: Problem | null };

/** A session without an id: ids depend on all folders, this on one folder. */
export type SessionDraft = {
  root: string;
  stem: string;
  main: MainLog;
  agents: AgentLog[];
  folder: string | null;
  facts: LogFacts;
  problem: Problem | null;
  path: string;
  pathGuessed: boolean;
  /** From a summary in another log of the folder. */
  summaryTitle: string | null;
};

/** What a folder of logs has: sessions, logs without one, and files that are listed as unread. */
export type FolderDraft = { sessions: SessionDraft[]; outside: FoundFile[]; unread: UnreadFile[] };

type Source = Pick<FolderSource, "root" | "slug" | "only">;
type Read = (path: string) => ReadFacts;

/**
 * The agents' logs that must be read: their session's main log is gone or has no facts. Call this after the main
 * logs and the agents beside them have been read.
 */
export function agentsToRead(listed: ListedFolder, read: Read): FoundAgent[] {
  const { sessions } = assignAgents(listed, (path) => read(path).facts);
  const silent = sessions.filter(({ main }) => main === null || !isSession(main, read));
  return silent.flatMap(({ agents }) => agents);
}

/**
 * The sessions of a listed folder, and its files that belong to none: files without a message, journals, warm-ups of
 * sessions that never began. An agent's log whose session is unknown is a session of its own; where a single log was
 * named (`only`), other files are ignored.
 */
export function draftSessions(listed: ListedFolder, source: Source, read: Read): FolderDraft {
  const assigned = assignAgents(listed, (path) => read(path).facts);
  const isListed = ({ stemPath, main, agents }: Assigned) => {
    if (main && isSession(main, read)) return true;
    if (!main && source.only !== null) return false;
    // 2.0.x warms up agents for sessions in which nothing is typed; 2.0.42 and 2.0.50 do not log their prompts.
    return agents.some((agent) => {
      const { warmUp, firstPrompt } = read(agent.path).facts;
      const isCalled = main === null || firstPrompt !== null || agent.relative.startsWith(`${stemPath}/`);
      return !warmUp && isCalled && isSession(agent, read);
    });
  };
  const alone = source.only === null ? assigned.homeless.filter((agent) => isSession(agent, read)) : [];
  const sessions = [
    ...assigned.sessions.filter(isListed),
    ...alone.map((main): Assigned => ({ stemPath: stem(main.relative), main, agents: [] })),
  ];
  const titles = summaryTitles(listed.mains, read);
  const drafts = sessions.map((session) => draftOf(session, listed, source, read, titles));
  const known = new Set(drafts.flatMap(({ facts }) => (facts.cwd === null ? [] : folderOf(facts.cwd))));
  const shared =
    known.size === 1 ? [...known][0] : [...known].find((cwd) => isSameName(slugOf(cwd), source.slug));
  for (const draft of drafts) {
    const path = draft.facts.cwd === null ? shared : folderOf(draft.facts.cwd);
    draft.path = path ?? guessPath(source.slug);
    draft.pathGuessed = path === undefined;
  }
  const used = new Set(
    drafts.flatMap(({ main, agents }) => [main.path, ...agents.map((agent) => agent.path)]),
  );
  const agents = [...assigned.sessions.flatMap((session) => session.agents), ...assigned.homeless];
  const outside = [...listed.mains, ...agents, ...listed.journals].filter((file) => !used.has(file.path));
  return { sessions: drafts, outside, unread: listed.unread };
}

function isSession(file: FoundFile, read: Read): boolean {
  const { facts, problem } = read(file.path);
  return facts.hasMessages || problem !== null;
}

function draftOf(
  { stemPath, main, agents }: Assigned,
  listed: ListedFolder,
  source: Source,
  read: Read,
  titles: Map<string, string>,
): SessionDraft {
  const own = main && isSession(main, read) ? read(main.path) : null;
  const { facts, problem } = own ?? factsOfAgents(agents, read);
  return {
    root: source.root,
    stem: stem(stemPath.slice(stemPath.lastIndexOf("/") + 1)),
    main: main ? toLogFile(main, main.relative, "m") : goneLog(listed.path, stemPath),
    agents: agents.map((agent) => toAgentLog(agent, read(agent.path).facts)),
    folder: listed.sessionFolders.get(stemPath)?.path ?? null,
    facts,
    problem,
    path: "",
    pathGuessed: true,
    summaryTitle: lastTitle(facts, titles),
  };
}

/** The facts in agents' logs of a session whose own log has none; a problem only where none can be read. */
function factsOfAgents(agents: readonly FoundAgent[], read: Read): ReadFacts {
  const all = agents.map((agent) => read(agent.path));
  const readable = all.filter(({ problem }) => problem === null);
  const problem = readable.length === 0 ? (all[0]?.problem ?? null) : null;
  return { facts: mergedFacts(readable.map(({ facts }) => facts)), problem };
}

function goneLog(folder: string, stemPath: string): MainLog {
  const name = `${stemPath}.jsonl`;
  const nothing = { bytes: 0, ino: 0, dev: 0, mtimeMs: 0 };
  return { path: join(folder, ...name.split("/")), name, key: "m", ...nothing, gone: true };
}

/** What stands in a summary's place where the API did not give one (1.0.128 to 2.0.10). */
const AN_ERROR = /^(API Error: |Invalid API key |Prompt is too long$)/;

/** Titles by the uuid that a summary names as the last message it covers. */
function summaryTitles(mains: FoundLog[], read: Read): Map<string, string> {
  const summaries = mains.flatMap((main) => titlesIn(read(main.path).facts));
  return new Map(summaries.flatMap(({ leafUuid, text }) => (leafUuid ? [[leafUuid, text] as const] : [])));
}

function titlesIn({ summaries }: LogFacts): LogFacts["summaries"] {
  return summaries.filter(({ text }) => !AN_ERROR.test(text));
}

function lastTitle(facts: LogFacts, titles: Map<string, string>): string | null {
  const own = titlesIn(facts).findLast((summary) => summary.leafUuid === null)?.text ?? null;
  if (titles.size === 0) return own;
  const leaf = facts.lastUuids.findLast((uuid) => titles.has(uuid));
  return (leaf === undefined ? null : titles.get(leaf)) ?? own;
}

function toLogFile({ path, bytes, ino, dev, mtimeMs, kept }: FoundFile, name: string, key: string): LogFile {
  return { path, name, key, bytes, ino, dev, mtimeMs, ...(kept ? { kept } : {}) };
}

/**
 * The id of the agent of a file: the part of its name after `agent-`, as the client writes it. Of another name (`agent-a
 * (1).jsonl` is a copy that somebody made) an id is made that can stand in an address.
 */
function agentIdOf(name: string): string {
  const named = stem(name).replace(/^agent-/, "");
  if (AN_ID.test(named)) return named;
  return `${named.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 100)}~${shortHash(named, 8)}`;
}

const AN_ID = new RegExp(`^${ID_PATTERN}$`);

function toAgentLog(agent: FoundAgent, facts: LogFacts): AgentLog {
  return {
    ...toLogFile(agent, agent.relative, shortHash(agent.relative, 8)),
    metaPath: agent.metaPath,
    agentId: agentIdOf(agent.name),
    warmUp: facts.warmUp,
  };
}

/**
 * The folder of a working directory. On Windows the drive's letter is lower case where an editor's terminal started the
 * client, and upper case elsewhere: the folder is the same.
 */
function folderOf(cwd: string): string {
  return cwd.replace(/^[a-z](?=:[\\/])/, (drive) => drive.toUpperCase());
}

/** Regardless of case: a folder keeps the name that it was created with, whose drive may have been lower case. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Guesses the path from a folder's name, for logs that contain no working directory. The name is not
 * reversible: every `-` is taken for a separator. The legacy `conversations/` folder used `_`.
 */
function guessPath(slug: string): string {
  if (/^[-_]/.test(slug)) return slug.replaceAll(slug.charAt(0), "/");
  const drive = /^([A-Za-z])--(.*)$/.exec(slug);
  if (drive) return `${drive[1]}:\\${(drive[2] ?? "").replaceAll("-", "\\")}`;
  return slug;
}
