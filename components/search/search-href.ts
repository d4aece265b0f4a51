import { DETAILS } from "@/lib/client/thread-url";
import type { Detail } from "@/lib/wire/rows";
import type { SearchField, SearchHit } from "@/lib/wire/search";

/** The least detail whose rows show a field. */
const NEEDED: Record<SearchField, Detail> = {
  title: "prompts",
  prompt: "prompts",
  text: "conversation",
  thinking: "tools",
  input: "tools",
  output: "tools",
  attachment: "everything",
  meta: "everything",
  raw: "everything",
};

/** The detail that shows a hit: the reader's own, or more where that would hide it. */
export function detailFor(field: SearchField, preferred: Detail): Detail {
  const needed = DETAILS.indexOf(NEEDED[field]);
  return DETAILS[Math.max(needed, DETAILS.indexOf(preferred))] ?? preferred;
}

/**
 * A link to the block in which a hit was found, with the query whose words are marked there. Written by
 * hand for the place: `~` and `.` need no escape, and a link should stay readable.
 */
export function hitHref(
  hit: Pick<SearchHit, "sessionId" | "agentId" | "recordId" | "block" | "field">,
  query: string,
  preferred: Detail,
): string {
  const session = `/sessions/${encodeURIComponent(hit.sessionId)}`;
  const rest = new URLSearchParams();
  // A title stands in no row.
  if (hit.field === "title") {
    rest.set("q", query);
    return `${session}?${rest.toString()}`;
  }
  const detail = detailFor(hit.field, preferred);
  if (hit.agentId !== null) rest.set("agent", hit.agentId);
  if (detail !== preferred) rest.set("detail", detail);
  rest.set("q", query);
  return `${session}?at=${hit.recordId}.${hit.block}&${rest.toString()}`;
}

/** The page of all hits. */
export function searchHref(query: string): string {
  return `/search?${new URLSearchParams({ q: query }).toString()}`;
}
