import { z } from "zod";
import { comparablePath } from "@/lib/format/text";
import type { Catalog } from "@/lib/server/library/catalog";
import { findSession } from "@/lib/server/library/find-session";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import {
  type AgentId,
  type BranchId,
  ID_PATTERN,
  type ProjectId,
  RECORD_ID_PATTERN,
  type RecordId,
} from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";

/*
 * The inputs of tools: ids or the start of one, folders, and pasted addresses of pages.
 */

/** A session, and the place in it that an address names. */
export type AskedSession = {
  summary: SessionSummary;
  recordId: RecordId | null;
  agentId: AgentId | null;
  branch: BranchId | null;
};

const AT = new RegExp(`^(${RECORD_ID_PATTERN})`);
const ID = new RegExp(`^${ID_PATTERN}$`);

export const sessionInput = z
  .string()
  .min(4)
  .max(4_000)
  .describe("A session: its id, the beginning of its id, or the address of a Backscroll page of it");

export const projectInput = z
  .string()
  .min(1)
  .max(4_096)
  .optional()
  .describe("Only sessions of this project: its folder, the end of its path, or its id");

export const recordInput = z
  .string()
  .regex(new RegExp(`^${RECORD_ID_PATTERN}(\\.\\d{1,6})?$`), "a record, like m~1k9 or m~1k9.0")
  .describe("A record of the session, as answers name it: m~1k9, or with its block m~1k9.0");

export const agentInput = z
  .string()
  .regex(ID)
  .optional()
  .describe("An agent (subagent) of the session, for its thread in place of the main one");

/** Throws ViewerError `session-not-found`. */
export async function askedSession(catalog: Catalog, text: string): Promise<AskedSession> {
  const address = addressOf(text);
  const wanted = address?.id ?? text;
  await catalog.settle(wanted as SessionSummary["id"]);
  const summary = findSession(catalog, wanted);
  const given = (name: string) => address?.query.get(name) ?? null;
  return {
    summary,
    recordId: (AT.exec(given("at") ?? "")?.[1] ?? null) as RecordId | null,
    agentId: idOrNull(given("agent")) as AgentId | null,
    branch: idOrNull(given("branch")) as BranchId | null,
  };
}

function addressOf(text: string): { id: string; query: URLSearchParams } | null {
  const path = /^(?:https?:\/\/[^/]+)?(?:\/[^?#]*)?\/sessions\/([^/?#]+)/.exec(text.trim());
  if (path === null) return null;
  const query = /\?([^#]*)/.exec(text)?.[1] ?? "";
  return { id: decoded(path[1] ?? ""), query: new URLSearchParams(query) };
}

/** A part of an address; one that was cut inside of an escape stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

function idOrNull(text: string | null): string | null {
  return text !== null && ID.test(text) ? text : null;
}

/** The requested project; `null` if none was given. Throws ViewerError `project-not-found`. */
export function askedProject(catalog: Catalog, text: string | undefined): ProjectId | null {
  if (text === undefined) return null;
  const projects = catalog.projects();
  const wanted = comparablePath(text.replace(/(?<=.)[\\/]+$/, ""));
  const exact = projects.find(({ id, path }) => id === text || comparablePath(path) === wanted);
  if (exact) return exact.id;
  const end = `/${wanted.replace(/^[\\/]+/, "")}`;
  const [only, ...others] = projects.filter(({ path }) =>
    comparablePath(path).replaceAll("\\", "/").endsWith(end),
  );
  if (only && others.length === 0) return only.id;
  throw new ViewerError(
    "project-not-found",
    only ? `The folders of several projects end with ${text}` : `No project has the folder ${text}`,
    { hint: "list_projects names their folders." },
  );
}
