// @vitest-environment page
import { expect, it, onTestFinished, vi } from "vitest";
import type { AnnotationKind } from "@/lib/wire/annotations";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { mark, toggleBookmark, toggleHidden, toggleSearch, toggleStar } from "./organise";

const [ONE, TWO] = ["s1", "s2"].map((id) => ({ id: id as SessionId, marks: null })) as [
  { id: SessionId; marks: null },
  { id: SessionId; marks: null },
];

type Kept = { id: string; kind: AnnotationKind; body: string; target: { sessionId: SessionId } };

/** A server that keeps what is put on sessions, and answers a moment later. */
function keeping(): Kept[] {
  const kept: Kept[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    await new Promise((resolve) => setTimeout(resolve));
    if (method === "GET") return Response.json({ annotations: kept, sequence: 1 });
    if (method === "POST") kept.push(JSON.parse(body as string) as Kept);
    const removed = kept.findIndex(({ id }) => method === "DELETE" && path.endsWith(`/${id}`));
    if (removed >= 0) kept.splice(removed, 1);
    return Response.json({});
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return kept;
}

const placesOf = (kept: readonly Kept[]) => kept.map(({ target }) => target.sessionId);
/** Changes are made one after the other. */
const settled = () => mark([], "star", true);

it("a star that is asked for twice, before the list shows the first, is put on and taken away", async () => {
  const kept = keeping();
  toggleStar([ONE]);
  toggleStar([ONE]);
  await settled();
  expect(kept).toEqual([]);
  toggleStar([ONE]);
  await settled();
  expect(placesOf(kept)).toEqual([ONE.id]);
});

it("sessions of which some have a star get one each", async () => {
  const kept = keeping();
  toggleStar([ONE]);
  toggleStar([ONE, TWO]);
  await settled();
  expect(placesOf(kept)).toEqual([ONE.id, TWO.id]);
});

it("a session that is hidden twice, before the list shows it, is shown again", async () => {
  const kept = keeping();
  toggleHidden([ONE]);
  toggleHidden([ONE]);
  await settled();
  expect(kept).toEqual([]);
});

it("a bookmark that is asked for twice is put on and taken away", async () => {
  const kept = keeping();
  const row = { key: "m~10.1", recordId: "m~10" as RecordId, block: 1 };
  await Promise.all([toggleBookmark(ONE.id, row), toggleBookmark(ONE.id, row)]);
  expect(kept).toEqual([]);
  await toggleBookmark(ONE.id, row);
  expect(kept).toMatchObject([{ kind: "bookmark", target: { recordId: "m~10", block: 1 } }]);
});

it("a search that is saved twice, before the page shows it, is not saved any more", async () => {
  const kept = keeping();
  await Promise.all([toggleSearch("tool:Bash"), toggleSearch(" tool:Bash")]);
  expect(kept).toEqual([]);
});

it("a tag is put only where it is not yet, in whatever case", async () => {
  const kept = keeping();
  await mark([{ sessionId: ONE.id }], "tag", true, "Mine");
  await mark([{ sessionId: ONE.id }, { sessionId: TWO.id }], "tag", true, "mine");
  expect(placesOf(kept)).toEqual([ONE.id, TWO.id]);
});
