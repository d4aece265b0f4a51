import { textStart } from "@/lib/format/text";
import { RecordKind } from "@/lib/log/table/kinds";
import { contextTokens, lastPass } from "@/lib/log/table/message-tokens";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { requestTokens } from "@/lib/server/session/request/context-window";
import { recordsOfPart, type Turns } from "@/lib/server/session/session-part";
import type { SessionQueries } from "@/lib/server/session/sessions";
import { type Choice, chosenPart } from "../chosen-part";
import { eachRow } from "../exported-threads";
import type { CloneNames } from "./clone-names";

/** The replacement of older turns. `rest`: the turns that stay; `like`: fields that the client gives every line. */
export type Digest = {
  rest: Choice;
  summary: string;
  preTokens: number;
  like: Readonly<Record<string, unknown>>;
};

/** At most this much of a prompt or of an answer is included. */
const MAX_TOLD = 2_000;

/**
 * A digest of all chosen turns except the last few, made from prompts and final answers; `null` if none was asked for,
 * or if there are no more turns than those.
 */
export async function digestOf(
  sessions: SessionQueries,
  session: OpenSession,
  choice: Choice,
): Promise<Digest | null> {
  if (choice.digest === null) return null;
  const { from, to } = choice.turns ?? { from: 1, to: choice.turnsOfBranch };
  const last = to - choice.digest;
  if (last < from) return null;
  const rest = { ...choice, turns: { from: last + 1, to } };
  const like = await fieldsOf(session, rest);
  const summary = await summaryOf(sessions, session, { ...choice, turns: { from, to: last } });
  return { rest, summary, like, preTokens: tokensOf(session, choice, { from, to: last }) };
}

/**
 * A compaction as the client writes one: a boundary, and after it the summary, which everything that follows descends
 * from.
 */
export function linesOfDigest(
  { summary, preTokens, like }: Digest,
  names: CloneNames,
  sessionId: string,
  newId: () => string,
): string[] {
  const [boundary, uuid] = [newId(), newId()];
  names.root = uuid;
  return [
    {
      ...{ parentUuid: null, logicalParentUuid: null, ...like, sessionId },
      ...{ type: "system", subtype: "compact_boundary", content: "Conversation compacted", isMeta: false },
      ...{ uuid: boundary, level: "info", compactMetadata: { trigger: "manual", preTokens } },
    },
    {
      ...{ parentUuid: boundary, ...like, sessionId, type: "user" },
      ...{ message: { role: "user", content: summary }, uuid },
      ...{ isVisibleInTranscriptOnly: true, isCompactSummary: true },
    },
  ].map((line) => JSON.stringify(line));
}

const FIELDS = ["isSidechain", "userType", "entrypoint", "cwd", "version", "gitBranch", "slug", "timestamp"];

/** The fields in the first line of these turns that say where, when and by which version it was written. */
async function fieldsOf(session: OpenSession, choice: Choice): Promise<Record<string, unknown>> {
  for (const { record } of recordsOfPart(session, choice)) {
    if (session.table.records.kind.at(record) !== RecordKind.prompt) continue;
    const line = (await readRecords(session, [record], 512))(record);
    if (!line || line.kind === "unreadable") continue;
    return Object.fromEntries(FIELDS.filter((key) => key in line.json).map((key) => [key, line.json[key]]));
  }
  return { isSidechain: false };
}

async function summaryOf(sessions: SessionQueries, { files }: OpenSession, choice: Choice): Promise<string> {
  const older = chosenPart(sessions, files.id, {
    ...choice,
    isWhole: false,
    thinking: false,
    tools: false,
    images: false,
  });
  const told: string[] = [];
  let answer = "";
  const end = () => {
    if (answer) told.push(`Answer: ${cut(answer)}`);
    answer = "";
  };
  for await (const row of eachRow(older, files.id, null, "conversation")) {
    if (row.kind === "text") answer = row.text.text;
    if (row.kind !== "turn") continue;
    end();
    told.push(`${row.turn}. ${cut(row.prompt.text)}`);
  }
  end();
  const { from, to } = choice.turns ?? { from: 1, to: 1 };
  return `This session is being continued from a previous conversation. Of its turns ${from} to ${to} these are the prompts and the final answers; what was done in between was left out.\n\n${told.join("\n\n")}`;
}

function cut(text: string): string {
  const whole = text.trim();
  return whole.length > MAX_TOLD ? `${textStart(whole, MAX_TOLD).trimEnd()}…` : whole;
}

/** The tokens of the last request in these turns, as far as they were counted. */
function tokensOf(session: OpenSession, { branch }: Choice, turns: Turns): number {
  let last = 0;
  for (const { record } of recordsOfPart(session, { branch, turns, records: null })) {
    const message = session.table.records.message.at(record);
    if (requestTokens(session.table, message))
      last = contextTokens(session.table, message) + lastPass(session.table, message).output;
  }
  return last;
}
