import { useQuery } from "@tanstack/react-query";
import { toast, toastFailure } from "@/components/ui/toast";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { api } from "@/lib/client/api";
import { randomHex } from "@/lib/client/connection/random-hex";
import { type KeyCommand, useKeys } from "@/lib/client/key-registry";
import { formatPlural } from "@/lib/format/format";
import type {
  Annotation,
  AnnotationKind,
  AnnotationTarget,
  ProjectMarks,
  SessionMarks,
} from "@/lib/wire/annotations";
import { groupByPlace, marksOfRow } from "@/lib/wire/comment-threads";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { AnnotatedRow } from "./row-annotations";

/** The kinds of annotations on whole sessions. */
export const ORGANISING: readonly AnnotationKind[] = ["star", "tag", "name", "hidden", "note"];

/** An id for a new annotation. */
export function newAnnotationId(): string {
  return randomHex(16);
}

/** A session or a project, as the subject of an annotation. */
export type MarkedPlace = { sessionId: SessionId } | { projectId: ProjectId };

/** Whether a target is this session or project, or a place in it. */
export function isAt(place: MarkedPlace, { sessionId, projectId }: AnnotationTarget): boolean {
  return "sessionId" in place ? sessionId === place.sessionId : projectId === place.projectId;
}

/** A mark that a place has or lacks. */
type Mark = "star" | "hidden" | "tag";

/** The change under way, after which the next one is made. */
let changing: Promise<unknown> = Promise.resolve();

/** A change finds what those before it did, also where the page does not show that yet. */
function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
  const turn = changing.then(work, work);
  changing = turn;
  return turn;
}

/** Puts a mark on each of these that lacks it, or removes it. Throws `ApiError`. */
export function mark(places: readonly MarkedPlace[], kind: Mark, on: boolean, body = ""): Promise<void> {
  return inTurn(async () => put(places, kind, on, body, await marksOn(places, kind, body)));
}

/** Puts a mark on those that lack it, or removes it if all have it. Throws `ApiError`. */
function toggle(
  places: readonly MarkedPlace[],
  kind: Mark,
): Promise<{ on: boolean; changed: readonly MarkedPlace[] }> {
  return inTurn(async () => {
    const there = await marksOn(places, kind);
    const without = places.filter((place) => !there.some(({ target }) => isAt(place, target)));
    const on = without.length > 0;
    await put(places, kind, on, "", there);
    return { on, changed: on ? without : places };
  });
}

/** The annotations that put a mark on these places: two windows may have put one there twice. */
async function marksOn(places: readonly MarkedPlace[], kind: Mark, body = ""): Promise<Annotation[]> {
  if (places.length === 0) return [];
  const [only] = places.length === 1 ? places : [];
  const session = only && "sessionId" in only ? only.sessionId : null;
  const { annotations } = await api.annotations(session, [kind]);
  return annotations.filter(
    ({ target, body: text }) =>
      places.some((place) => isAt(place, target)) && text.toLowerCase() === body.toLowerCase(),
  );
}

async function put(
  places: readonly MarkedPlace[],
  kind: Mark,
  on: boolean,
  body: string,
  there: readonly Annotation[],
): Promise<void> {
  if (!on) {
    for (const { id } of there) await api.removeAnnotation(id);
    return;
  }
  for (const target of places)
    if (!there.some((one) => isAt(target, one.target)))
      await api.annotate({ id: newAnnotationId(), kind, target, body });
}

/**
 * Sets the name or note of a session or project, or removes it if the text is empty. Throws `ApiError`:
 * `annotation-changed` if its note is no longer `before`.
 */
export async function saveText(
  target: MarkedPlace,
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
type MarkedSession = Marked<SessionId, SessionMarks>;
type MarkedProject = Marked<ProjectId, ProjectMarks>;

const sessionPlace = ({ id }: Pick<MarkedSession, "id">): MarkedPlace => ({ sessionId: id });
const projectPlace = ({ id }: Pick<MarkedProject, "id">): MarkedPlace => ({ projectId: id });

/** Stars these sessions; removes the stars if all have one. Shows what could not be done. */
export function toggleStar(sessions: readonly Pick<MarkedSession, "id">[]): void {
  void told(toggle(sessions.map(sessionPlace), "star"));
}

/** The same for projects, which are then listed first. */
export function toggleProjectStar(projects: readonly Pick<MarkedProject, "id">[]): void {
  void told(toggle(projects.map(projectPlace), "star"));
}

/** Hides these sessions from the library; shows them again if all are hidden. */
export function toggleHidden(sessions: readonly Pick<MarkedSession, "id">[]): void {
  toggleHiddenAt(sessions.map(sessionPlace), "session");
}

/** The same for projects, with all of their sessions. */
export function toggleProjectHidden(projects: readonly Pick<MarkedProject, "id">[]): void {
  toggleHiddenAt(projects.map(projectPlace), "project");
}

function toggleHiddenAt(places: readonly MarkedPlace[], noun: "session" | "project"): void {
  void told(toggle(places, "hidden").then(({ on, changed }) => sayHidden(changed, noun, on)));
}

function sayHidden(places: readonly MarkedPlace[], noun: "session" | "project", on: boolean): void {
  const what = places.length === 1 ? `The ${noun} is` : `${formatPlural(places.length, noun)} are`;
  const done = on ? "hidden from the library; is:hidden finds hidden ones" : "shown in the library again";
  const undo = () => void told(mark(places, "hidden", !on).then(() => sayHidden(places, noun, !on)));
  toast(`${what} ${done}`, "plain", undo);
}

/** Shows that something was done, if that is not visible otherwise, or why not. Resolves to whether it was. */
export async function told(work: Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work;
    if (done) toast(done);
    return true;
  } catch (error) {
    toastFailure(error, "Couldn’t save it");
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

/** Saves a search, or removes it if it is saved already. Shows what was done, or why not. */
export async function toggleSearch(query: string): Promise<void> {
  const body = query.trim();
  const toggled = inTurn(async () => {
    const { annotations } = await api.annotations(null, ["search"]);
    const known = annotations.filter((one) => one.body === body);
    await removeOrAdd(known, { kind: "search", target: {}, body });
    toast(known.length > 0 ? "The search is no longer saved" : "The search is saved, in the left column");
  });
  await told(toggled);
}

/** Bookmarks the record of a row, or removes the bookmarks of all that the row shows. Shows what could not be done. */
export async function toggleBookmark(sessionId: SessionId, row: AnnotatedRow): Promise<void> {
  const toggled = inTurn(async () => {
    const { annotations } = await api.annotations(sessionId, ["bookmark"]);
    const known = marksOfRow(groupByPlace(annotations), row).flatMap(({ bookmarks }) => bookmarks);
    const { recordId, block } = row;
    await removeOrAdd(known, { kind: "bookmark", target: { sessionId, recordId, block } });
  });
  await told(toggled);
}

/** Removes these, or adds one if there are none. */
async function removeOrAdd(
  there: readonly Annotation[],
  added: Omit<Parameters<typeof api.annotate>[0], "id">,
): Promise<void> {
  for (const { id } of there) await api.removeAnnotation(id);
  if (there.length === 0) await api.annotate({ id: newAnnotationId(), ...added });
}
