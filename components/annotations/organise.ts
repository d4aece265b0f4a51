import { useQuery } from "@tanstack/react-query";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { type KeyCommand, useKeys } from "@/lib/client/key-registry";
import { openPageDialog } from "@/lib/client/page-dialogs";
import { formatPlural } from "@/lib/format/format";
import type { AnnotationKind, SessionMarks } from "@/lib/wire/annotations";
import type { SessionId } from "@/lib/wire/ids";

/** What is put on whole sessions. */
export const ORGANISING: readonly AnnotationKind[] = ["star", "tag", "name", "hidden", "note"];

/** An id for something new. `crypto.randomUUID` is not there at an address of the network without TLS. */
export function newAnnotationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Puts something on each of these sessions, or takes it away. Throws `ApiError`. */
export async function markSessions(
  sessions: readonly SessionId[],
  kind: "star" | "hidden" | "tag",
  on: boolean,
  body = "",
): Promise<void> {
  if (on) {
    for (const sessionId of sessions)
      await api.annotate({ id: newAnnotationId(), kind, target: { sessionId }, body });
    return;
  }
  const wanted = new Set<string | null>(sessions);
  const { annotations } = await api.annotations(sessions.length === 1 ? (sessions[0] ?? null) : null, [kind]);
  for (const { id, target, body: text } of annotations)
    if (wanted.has(target.sessionId) && text.toLowerCase() === body.toLowerCase())
      await api.removeAnnotation(id);
}

type Marked = { id: SessionId; marks: SessionMarks | null };

/** Stars these sessions; takes the stars away where all have one. Says what could not be done. */
export function toggleStar(sessions: readonly Marked[]): void {
  const on = !sessions.every(({ marks }) => marks?.starred);
  void told(markSessions(idsOf(sessions), "star", on));
}

/** Hides these sessions from the library; shows them again where all are hidden. */
export function toggleHidden(sessions: readonly Marked[]): void {
  const on = !sessions.every(({ marks }) => marks?.hidden);
  const what = sessions.length === 1 ? "The session" : formatPlural(sessions.length, "session");
  const done = on ? "hidden from the library; is:hidden finds hidden ones" : "shown in the library again";
  void told(
    markSessions(idsOf(sessions), "hidden", on),
    `${what} ${sessions.length === 1 ? "is" : "are"} ${done}`,
  );
}

const idsOf = (sessions: readonly Marked[]) => sessions.map(({ id }) => id);

/** Says that something was done, where that is not seen, or why not. Resolves to whether it was. */
export async function told(work: Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work;
    if (done) toast(done);
    return true;
  } catch (error) {
    toast(error instanceof Error ? error.message : "That could not be saved", "err");
    return false;
  }
}

/**
 * The commands that organise sessions: those that `chosen` names when a key is pressed.
 * @param when whether they can be run now
 */
export function useOrganiseKeys(chosen: () => readonly Marked[], when: () => boolean = () => true): void {
  const on = (
    command: Omit<KeyCommand, "group" | "run"> & { run: (sessions: readonly Marked[]) => void },
  ) => ({
    ...command,
    group: "Mark and organise" as const,
    when: () => when() && chosen().length > 0,
    run: () => command.run(chosen()),
  });
  useKeys("organise", [
    on({ keys: ["*"], label: "star", run: toggleStar }),
    on({
      keys: ["t"],
      label: "name, tags and note",
      run: (sessions) => openPageDialog({ organise: idsOf(sessions) }),
    }),
    on({ keys: ["H"], label: "hide from the library, or show again", run: toggleHidden }),
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

/** Saves a search, or forgets it where it is saved already. */
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
