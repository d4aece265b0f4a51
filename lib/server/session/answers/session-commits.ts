import { asObject } from "@/lib/log/records/json";
import { gitOutcome, isSameHash, linkedRequest } from "@/lib/log/rows/calls/git-outcome";
import { timeOf } from "@/lib/log/rows/row-context";
import { gitCommandOf, MAX_COMMAND, outputOf } from "@/lib/server/scan/git-facts";
import { toolNamed } from "@/lib/tools/tools";
import { uuidOfSession } from "@/lib/wire/ids";
import type { CommitsResponse, SessionCommit } from "@/lib/wire/session";
import { placeOf } from "../files/file-events";
import { placeOnBranch } from "../files/session-files";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { callsInTime, turnOfRecords } from "./agent-entries";

const NONE = -1;
/**
 * The commits and pull requests of a session, without guessing: from the output of its own commands, and from what the
 * client linked.
 */
export async function sessionCommits(session: OpenSession): Promise<CommitsResponse> {
  const { table } = session;
  const { calls, blocks, records } = table;
  const shells: number[] = [];
  for (let call = 0; call < calls.size; call++) {
    const isDone = calls.use.at(call) !== NONE && calls.result.at(call) !== NONE;
    if (
      isDone &&
      !table.isCopy(call) &&
      toolNamed(table.tools.at(calls.tool.at(call)) ?? "")?.starts === "shell"
    )
      shells.push(call);
  }
  const links: number[] = [];
  for (let record = 0; record < records.size; record++)
    if (table.types.at(records.type.at(record)) === "pr-link") links.push(record);
  const recordOf = (call: number) => blocks.record.at(calls.use.at(call));
  const read = await readRecords(session, [...shells.map(recordOf), ...links], MAX_COMMAND);
  const asked = callsInTime(session, shells).flatMap((call) => {
    const line = read(recordOf(call));
    const block = line?.kind === "assistant" ? line.blocks[blocks.index.at(calls.use.at(call))] : undefined;
    const command = gitCommandOf(block);
    return command === null ? [] : [{ call, command }];
  });
  const results = await readRecords(
    session,
    asked.map(({ call }) => blocks.record.at(calls.result.at(call))),
  );
  const uuid = uuidOfSession(session.files.id) ?? "";
  const turnOf = turnOfRecords(session);
  const answer: CommitsResponse = { commits: [], pullRequests: [] };
  const place = (record: number, block: number, tool: string | null) => ({
    ...placeOnBranch(session, { ...placeOf(session, record, turnOf), block, tool, records: [record] }),
    atMs: timeOf(table, record),
  });
  for (const { call, command } of asked) {
    const result = calls.result.at(call);
    const line = results(blocks.record.at(result));
    const block =
      line?.kind === "user" || line?.kind === "assistant" ? line.blocks[blocks.index.at(result)] : undefined;
    if (block?.kind !== "tool-result") continue;
    const outcome = gitOutcome(command, outputOf(block), uuid);
    const at = place(
      recordOf(call),
      blocks.index.at(calls.use.at(call)),
      table.tools.at(calls.tool.at(call)),
    );
    for (const { hash, how, ref, subject } of outcome.commits)
      noteCommit(answer.commits, { ...at, hash, how, ref, subject, pushedTo: null });
    for (const request of outcome.requests) answer.pullRequests.push({ ...at, ...request });
  }
  for (const record of links) {
    const line = read(record);
    const request = line && line.kind !== "unreadable" ? linkedRequest(asObject(line.json) ?? {}) : null;
    // The client links the pull request that a command has just opened.
    const isKnown = answer.pullRequests.some(
      ({ number, url }) => number === request?.number && (url === null || url === request.url),
    );
    if (request && !isKnown) answer.pullRequests.push({ ...place(record, 0, null), ...request });
  }
  return answer;
}

/** A commit that was listed before keeps its place, and gets its remote branch and its longer hash. */
function noteCommit(commits: SessionCommit[], commit: SessionCommit): void {
  const known = commits.find(({ hash }) => isSameHash(hash, commit.hash));
  if (!known) {
    commits.push(commit.how === "pushed" ? { ...commit, ref: null, pushedTo: commit.ref } : commit);
    return;
  }
  if (commit.hash.length > known.hash.length) known.hash = commit.hash;
  if (commit.how === "pushed") known.pushedTo = commit.ref;
  known.subject ??= commit.subject;
}
