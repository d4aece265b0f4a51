import { RE2JS } from "re2js";
import { Redaction } from "@/lib/redact/redaction";
import { PERSONAL } from "@/lib/redact/rules";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import type { Search } from "@/lib/server/search/search";
import type { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { SessionId } from "@/lib/wire/ids";

/** What the tools read, and how they may report it. */
export type McpWorld = {
  catalog: Catalog;
  scanner: Scanner;
  search: Search;
  sessions: SessionQueries;
  secrets: SessionSecrets;
  /** The address of the pages, without a trailing slash; `null` if nobody can open them. */
  page: string | null;
  /** Whether secrets are replaced in answers. */
  redacts: boolean;
};

/** How a session may be reported: its queries, and a function for any other text about it. */
export type Telling = { sessions: SessionQueries; said: (text: string) => string };

/**
 * How a session may be reported. If secrets are replaced, all of its logs are searched for them first. Names of people
 * stay: the assistant works as this user and needs the paths of this machine. Throws what `SessionSecrets.run` throws.
 */
export async function tellingOf({ sessions, secrets, redacts }: McpWorld, id: SessionId): Promise<Telling> {
  if (!redacts) return { sessions, said: (text) => text };
  const redaction = await secrets.redaction(id, [...PERSONAL]);
  return { sessions: sessions.redactedBy(redaction), said: (text) => redaction.redactText(text) };
}

/**
 * How short texts of many sessions, such as titles, may be reported. Their logs are not searched, since that takes
 * minutes: secrets are recognized by their form, and in a text of a session (`of`) also by what is known of one that an
 * assistant has just read or searched. Throws `bad-pattern`.
 */
export async function tellingOfMany({
  secrets,
  redacts,
}: McpWorld): Promise<(text: string, of?: SessionId) => string> {
  if (!redacts) return (text) => text;
  const own = (await secrets.ownPatterns()).map((pattern) => RE2JS.compile(pattern));
  const byForm = new Redaction(own, PERSONAL);
  const bySession = new Map<SessionId, Redaction>();
  return (text, of) => {
    const learned = of === undefined ? null : secrets.knownNow(of);
    if (of === undefined || learned === null) return byForm.redactText(text);
    const redaction = bySession.get(of) ?? new Redaction(own, PERSONAL, learned);
    bySession.set(of, redaction);
    return redaction.redactText(text);
  };
}
