import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Annotations } from "@/lib/server/annotations/annotations";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions } from "@/lib/server/session/sessions";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { AnnotationKind, ProjectMarks, SessionMarks } from "@/lib/wire/annotations";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { Warning } from "@/lib/wire/library";
import { AnnotationBody } from "@/lib/wire/requests/annotations";

/** The session that is annotated, another one, and the log of the first. */
export const ANNOTATED = uuid(1) as SessionId;
export const OTHER_SESSION = uuid(2) as SessionId;
export const ANNOTATED_LOG = `projects/-home-dev-shop/${ANNOTATED}.jsonl`;

/** A folder for annotations, until the test has finished. */
export function annotationFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-annotations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** For annotations that read no session. */
export const readsNoSession = () => Promise.reject(new Error("No session is read"));

/** The annotations of a folder, and what they have told of: marks of sessions and projects, and warnings. */
export function openAnnotations(
  folder: string | null = annotationFolder(),
  latest: ConstructorParameters<typeof Annotations>[1]["latest"] = readsNoSession,
) {
  const marks = new Map<SessionId | null, SessionMarks | null>();
  const projects = new Map<ProjectId, ProjectMarks | null>();
  const said: { warnings: Warning[] } = { warnings: [] };
  const annotations = new Annotations(folder, {
    latest,
    changed: (id, one) => void marks.set(id, one),
    projectChanged: (id, one) => void projects.set(id, one),
    warn: (all) => void (said.warnings = all),
  });
  onTestFinished(() => annotations.stop());
  return { annotations, marks, projects, said, folder: folder ?? "" };
}

let made = 0;
/** An id that no other annotation has. */
const newAnnotationId = () => `test-id-${++made}`;

/** An annotation of the session as it is asked for. */
export function annotationBody(kind: AnnotationKind, text = "", more: object = {}) {
  return AnnotationBody.parse({
    id: newAnnotationId(),
    kind,
    target: { sessionId: ANNOTATED },
    body: text,
    ...more,
  });
}

/** A comment on a place in it. */
export const commentBody = (text: string, target: object, more: object = {}) =>
  AnnotationBody.parse({
    id: newAnnotationId(),
    kind: "comment",
    target: { sessionId: ANNOTATED, ...target },
    body: text,
    ...more,
  });

/** All annotations of a session, a line each: kind, text, and how they stand. */
export const saidOf = async (annotations: Annotations, session: SessionId | null = ANNOTATED) =>
  (await annotations.list(session)).annotations.map(
    ({ kind, body: text, state }) => `${kind} ${text} ${state}`,
  );

/** The lines of its log. */
export const ANNOTATED_LINES = [
  prompt("Fix the *flaky* test\nof the retries", { uuid: uuid(11), parentUuid: null }),
  answer("I will **look** at `retry.ts` first.\n\nThen at retry.ts again.", {
    uuid: uuid(12),
    parentUuid: uuid(11),
  }),
];

/** The annotations of a session that there is. `at`: the id of the record whose uuid ends in so. */
export async function annotatedTree(
  files: Record<string, readonly Record<string, unknown>[]> = { [ANNOTATED_LOG]: ANNOTATED_LINES },
) {
  const root = makeTree(files);
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const sessions = createSessions(catalog, { scan });
  const opened = openAnnotations(annotationFolder(), async (id) => {
    await catalog.refresh(id);
    return sessions.latest(id);
  });
  const at = async (n: number) => {
    const session = await sessions.latest(ANNOTATED);
    return session.recordId(session.findUuid(uuid(n)));
  };
  return { ...opened, root, catalog, at };
}
