import type { SessionQueries } from "@/lib/server/session/sessions";
import type { SessionId } from "@/lib/wire/ids";
import {
  commentsElsewhere,
  HtmlWriter,
  htmlEnd,
  htmlHead,
  type ListedTurn,
  promptList,
  staticBegin,
} from "../export-html";
import { ExportedComments } from "../exported-comments";
import { agentsOf, threadParts } from "../exported-threads";
import { readExportedPage } from "../html/exported-page";
import { LogReader, settled } from "../html/log-reader";
import { pageData } from "../html/page-data";
import { formatFacts, isOfAll, type Pieces, type Source, toText } from "./source";

/**
 * Agents of agents are shown in their calls to this depth, which is more than clients start; a page nests no deeper.
 */
const MAX_NESTED = 12;

/** The session's page as one file, with what those read who run no scripts. */
export async function* writeHtml(source: Source): Pieces {
  const { sessions, files, choice, leftOut } = source;
  const session = await settled(() => sessions.detail(files.id));
  const page = readExportedPage();
  const facts = formatFacts(session, choice);
  yield toText(htmlHead(session.title, page));
  yield* pageData(sessions, files, session, {
    ...{ facts, leftOut, turns: choice?.turnsOfBranch ?? 0 },
    comments: new ExportedComments(source.comments ?? []),
    withCommentsElsewhere: isOfAll(source),
  });
  yield toText(staticBegin(session.title, facts, page));
  // The page's own images are in the data.
  const reader = new LogReader(sessions, files.id, page === null);
  if (!files.main.gone) yield toText(promptList(await turnsOf(sessions, files.id)));
  const agents = await agentsOf(sessions, files.id);
  const agentsLeftOut = leftOut.includes("agents");
  const comments = new ExportedComments(source.comments ?? []);
  const writer = new HtmlWriter(reader, agents, {
    ...{ isLogGone: files.main.gone === true, agentsLeftOut, comments },
  });
  for await (const part of threadParts(sessions, files, agents, MAX_NESTED))
    yield toText(await writer.toHtml(part));
  if (isOfAll(source)) yield toText(commentsElsewhere(comments));
  yield htmlEnd(page);
}

/** No list of more prompts would be read. */
const MAX_LISTED = 500;

/** The first words of the prompts. */
async function turnsOf(sessions: SessionQueries, id: SessionId): Promise<ListedTurn[]> {
  const query = { branch: null, detail: "tools" as const, fold: [], from: 0, count: MAX_LISTED };
  const { turns } = await settled(() => sessions.outline(id, query));
  return turns;
}
