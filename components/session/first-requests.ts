import { PAGE_ITEMS } from "@/components/thread/thread-windows";
import { parsePermalink, parseThreadUrl, threadChoice } from "@/lib/client/address/session-url";
import { sessionPath } from "@/lib/client/api";
import type { EarlyRequests } from "@/lib/client/connection/early-script";
import { withQuery } from "@/lib/client/connection/send";
import type { SessionId } from "@/lib/wire/ids";
import { DETAILS } from "@/lib/wire/rows";

/**
 * What the page at this address asks for first, if it is a session's and opens where the address says: the first rows of
 * its thread, and the session's facts. One that does not ask for them in these very words asks a second time.
 * @param address path and query, as at the root of the host
 */
export function firstRequests(address: string): EarlyRequests | null {
  const { pathname, search } = new URL(address, "http://page");
  const [, encoded] = /^\/sessions\/([^/]+)$/.exec(pathname) ?? [];
  const id = encoded === undefined ? null : decoded(encoded);
  if (id === null) return null;
  const url = parseThreadUrl(search);
  const place = parsePermalink(url.at);
  const start = place
    ? { around: place.recordId, count: PAGE_ITEMS }
    : url.follow === "1"
      ? { from: 0, count: PAGE_ITEMS }
      : { count: PAGE_ITEMS, beginning: true };
  const requests = DETAILS.flatMap((preferred) =>
    [true, false].map((foldRuns) => {
      const { branch, agent, detail, fold, runs } = threadChoice(url, preferred, foldRuns && !url.q);
      const rows = withQuery(sessionPath(id, "/rows"), { branch, agent, detail, fold, runs, ...start });
      return [`${preferred}/${foldRuns}`, [rows, sessionPath(id)]] as const;
    }),
  );
  return Object.fromEntries(requests);
}

/** The id in a path; `null` where it is no text. */
function decoded(text: string): SessionId | null {
  try {
    return decodeURIComponent(text) as SessionId;
  } catch (cause) {
    if (cause instanceof URIError) return null;
    throw cause;
  }
}
