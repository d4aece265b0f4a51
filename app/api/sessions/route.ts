import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { sessionFilter } from "@/lib/server/search/match-session";
import { resumeOf } from "@/lib/server/session/answers/resume";
import { SessionsRequest } from "@/lib/wire/requests/library";

export const GET = ownerRoute({ query: SessionsRequest }, async ({ state, query }) => {
  const { q, zone, ids, ...page } = query;
  const catalog = await freshCatalog(state);
  const { problems, ...filter } = sessionFilter(state, q, zone, ids);
  const listed = catalog.sessions({ ...page, ...filter });
  if (ids === null) return { ...listed, problems: problems() };
  const sessions = listed.sessions.map((session) => {
    const { resumeCommand, resumeProblem } = resumeOf(
      catalog,
      catalog.sessionFiles(session.id),
      state.config.flags,
    );
    return { ...session, resumeCommand, resumeProblem };
  });
  return { ...listed, sessions, problems: problems() };
});
