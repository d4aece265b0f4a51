import { useQuery } from "@tanstack/react-query";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { type KeyCommand, useKeys } from "@/lib/client/key-registry";
import { openPageDialog } from "@/lib/client/page-dialogs";
import { formatPlural } from "@/lib/format/format";
import type {
  Annotation,
  AnnotationKind,
  AnnotationTarget,
  ProjectMarks,
  SessionMarks,
} from "@/lib/wire/annotations";
import type { ProjectId, SessionId } from "@/lib/wire/ids";

/** The kinds of annotations on whole sessions. */
export const ORGANISING: readonly AnnotationKind[] = ["star", "tag", "name", "hidden", "note"];

/** An id for a new annotation. `crypto.randomUUID` is not available at a network address without TLS. */
export function newAnnotationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A session or a project, as the subject of an annotation. */
export type Place = { sessionId: SessionId } | { projectId: ProjectId };

/** Whether a target is this session or project, or a place in it. */
export function isAt(place: Place, { sessionId, projectId }: AnnotationTarget): boolean {
  return "sessionId" in place ? sessionId === place.sessionId : projectId === place.projectId;
}

/** Puts a mark on each of these, or removes it. Throws `ApiError`. */
export async function mark(
  places: readonly Place[],
  kind: "star" | "hidden" | "tag",
  on: boolean,
  body = "",
): Promise<void> {
  if (on) {
    for (const target of places) await api.annotate({ id: newAnnotationId(), kind, target, body });
    return;
  }
  const [only] = places.length === 1 ? places : [];
  const session = only && "sessionId" in only ? only.sessionId : null;
  const { annotations } = await api.annotations(session, [kind]);
  for (const { id, target, body: text } of annotations)
    if (places.some((place) => isAt(place, target)) && text.toLowerCase() === body.toLowerCase())
      await api.removeAnnotation(id);
}

/**
 * Sets the name or note of a session or project, or removes it if the text is empty. Throws `ApiError`:
 * `annotation-changed` if its note is no longer `before`.
 */
export async function saveText(
  target: Place,
  kind: "name" | "note",
  before: Annotation | null,
  body: string,
): Promise<void> {
  if (body === (before?.body ?? "")) return;
  if (body === "")
    return before
      ? api.removeAnnotation(before.id, kind === "note" ? before.revision : undefined)
      : undefined;
  const guard = before && kind === "note" ? { revision: before.revision } : {};
  if (before) await api.changeAnnotation(before.id, { body, ...guard });
  else await api.annotate({ id: newAnnotationId(), kind, target, body });
}

type Marked<Id, Marks> = { id: Id; marks: Marks | null };
export type MarkedSession = Marked<SessionId, SessionMarks>;
export type MarkedProject = Marked<ProjectId, ProjectMarks>;

const sessionPlace = ({ id }: MarkedSession): Place => ({ sessionId: id });
const projectPlace = ({ id }: MarkedProject): Place => ({ projectId: id });

/** Stars these sessions; removes the stars if all have one. Shows what could not be done. */
export function toggleStar(sessions: readonly MarkedSession[]): void {
  const on = !sessions.every(({ marks }) => marks?.starred);
  void told(mark(sessions.map(sessionPlace), "star", on));
}

/** The same for projects, which are then listed first. */
export function toggleProjectStar(projects: readonly MarkedProject[]): void {
  const on = !projects.every(({ marks }) => marks?.starred);
  void told(mark(projects.map(projectPlace), "star", on));
}

/** Hides these sessions from the library; shows them again if all are hidden. */
export function toggleHidden(sessions: readonly MarkedSession[]): void {
  const on = !sessions.every(({ marks }) => marks?.hidden);
  hide(sessions.filter(({ marks }) => (marks?.hidden ?? false) !== on).map(sessionPlace), "session", on);
}

/** The same for projects, with all of their sessions. */
export function toggleProjectHidden(projects: readonly MarkedProject[]): void {
  const on = !projects.every(({ marks }) => marks?.hidden);
  hide(projects.filter(({ marks }) => (marks?.hidden ?? false) !== on).map(projectPlace), "project", on);
}

function hide(places: readonly Place[], noun: "session" | "project", on: boolean): void {
  const what = places.length === 1 ? `The ${noun} is` : `${formatPlural(places.length, noun)} are`;
  const done = on ? "hidden from the library; is:hidden finds hidden ones" : "shown in the library again";
  void told(mark(places, "hidden", on), `${what} ${done}`, () => hide(places, noun, !on));
}

/** Shows that something was done, if that is not visible otherwise, or why not. Resolves to whether it was. */
export async function told(work: Promise<unknown>, done?: string, undo?: () => void): Promise<boolean> {
  try {
    await work;
    if (done) toast(done, "plain", undo);
    return true;
  } catch (error) {
    toast(error instanceof Error ? error.message : "That could not be saved", "err");
    return false;
  }
}

/** The commands that organise the sessions which `chosen` returns when a key is pressed. */
export function useOrganiseKeys(chosen: () => readonly MarkedSession[]): void {
  const on = (
    command: Omit<KeyCommand, "group" | "run"> & { run: (sessions: readonly MarkedSession[]) => void },
  ) => ({
    ...command,
    group: "Mark and organise" as const,
    when: () => chosen().length > 0,
    run: () => command.run(chosen()),
  });
  useKeys([
    on({ keys: ["*"], label: "star", run: toggleStar }),
    on({
      keys: ["t"],
      label: "name, tags and note",
      run: (sessions) => openPageDialog({ organise: sessions.map(({ id }) => id) }),
    }),
    on({ keys: ["H"], label: "hide from the library, or show again", run: toggleHidden }),
  ]);
}

/** The commands that organise the projects which `chosen` returns; stars and hiding from the palette alone. */
export function useProjectKeys(chosen: () => readonly MarkedProject[]): void {
  const group = "Mark and organise" as const;
  const when = () => chosen().length > 0;
  const note = () => {
    const [project] = chosen();
    if (project) openPageDialog({ project: project.id });
  };
  useKeys([
    { keys: ["T"], label: "note on the project", group, when: () => chosen().length === 1, run: note },
    { keys: [], label: "star the project", group, when, run: () => toggleProjectStar(chosen()) },
    {
      keys: [],
      label: "hide the project from the library, or show again",
      group,
      when,
      run: () => toggleProjectHidden(chosen()),
    },
  ]);
}

/** The searches that were saved, the oldest first. */
export function useSavedSearches() {
  return useQuery({
    queryKey: ["annotations", "searches"],
    queryFn: async ({ signal }) => (await api.annotations(null, ["search"], { signal })).annotations,
    staleTime: 60_000,
  });
}

/** Saves a search, or removes it if it is saved already. */
export async function toggleSearch(
  query: string,
  saved: readonly { id: string; body: string }[],
): Promise<boolean> {
  const body = query.trim();
  const known = saved.find((one) => one.body === body);
  if (known) return told(api.removeAnnotation(known.id), "The search is no longer saved");
  const search = { id: newAnnotationId(), kind: "search" as const, target: {}, body };
  return told(api.annotate(search), "The search is saved, in the left column");
}
