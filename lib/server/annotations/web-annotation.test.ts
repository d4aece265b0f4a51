import { expect, test } from "vitest";
import {
  ANNOTATED,
  annotatedTree,
  annotationBody,
  commentBody,
  openAnnotations,
} from "@/lib/testing/library/annotated";
import type { ProjectId } from "@/lib/wire/ids";
import { AnnotationImportBody } from "@/lib/wire/requests/annotations";
import { toCollection } from "./web-annotation";

test("a collection of Web Annotations transfers everything to another place, once", async () => {
  const { annotations, at } = await annotatedTree();
  await annotations.add(annotationBody("star"));
  await annotations.add(annotationBody("note", "About shop", { target: { projectId: "p1" as ProjectId } }));
  const selected = { text: "look", before: "" };
  const lines = { path: "/home/dev/shop/cart.ts", from: 12, to: 15, before: true };
  const place = { recordId: await at(12), block: 0, selected, lines };
  const begins = await annotations.add(commentBody("Why <b>?", place));
  expect(begins.target.lines).toEqual(lines);
  await annotations.add(commentBody("Because", {}, { replyTo: begins.id }));
  await annotations.change(begins.id, { resolved: true, sent: true });
  const { annotations: all } = await annotations.list(null);
  const { first } = JSON.parse(JSON.stringify(toCollection(all))) as { first: { items: unknown[] } };
  const elsewhere = openAnnotations();
  const { items } = AnnotationImportBody.parse(first);
  expect(await elsewhere.annotations.import(items)).toEqual({ added: 4, known: 0, refused: [] });
  expect(await elsewhere.annotations.import(items)).toEqual({ added: 0, known: 4, refused: [] });
  const unnumbered = (list: typeof all) => list.map((one) => ({ ...one, revision: 0 }));
  expect(unnumbered((await elsewhere.annotations.list(null)).annotations)).toEqual(unnumbered(all));
});

test("items that are no annotations of ours are refused with their reasons, and the rest is accepted", async () => {
  const { annotations } = openAnnotations();
  const item = (over: object) => ({
    id: "urn:uuid:00000000-0000-4000-8000-000000000001",
    type: "Annotation",
    motivation: "commenting",
    created: "2026-01-02T03:04:05Z",
    body: { type: "TextualBody", value: "Hello" },
    target: {
      source: `urn:claude-code:session:${ANNOTATED}`,
      selector: [{ type: "FragmentSelector", value: "record=m~0" }],
    },
    ...over,
  });
  const items = [
    null,
    item({ target: { source: "https://example.org/" } }),
    item({ motivation: "dancing" }),
    item({ motivation: "tagging", body: { value: "x".repeat(61) } }),
    item({ target: { source: `urn:claude-code:session:${ANNOTATED}` } }),
    item({ creator: { name: "Anna" } }),
  ];
  const { added, refused } = await annotations.import(items);
  expect(added).toBe(1);
  expect(refused.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  expect(refused.map(({ reason }) => reason).slice(1)).toEqual([
    "It is about no session of Claude Code",
    "The motivation dancing is none of Backscroll's",
    "A tag says at most 60 characters",
    "A comment is about a record",
  ]);
  expect((await annotations.list(null)).annotations.map(({ author }) => author)).toEqual(["Anna"]);
});
