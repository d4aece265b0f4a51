import { z } from "zod";
import { formatCount } from "@/lib/format/format";
import {
  ANNOTATION_KINDS,
  type Annotation,
  type AnnotationKind,
  MAX_BODY,
  type TextQuote,
} from "@/lib/wire/annotations";
import { ID_PATTERN, type ProjectId, RECORD_ID_PATTERN, type RecordId, type SessionId } from "@/lib/wire/ids";
import { FileLinesShape } from "@/lib/wire/requests/annotations";
import type { AnnotationEvent } from "./annotation-book";

/** Our own terms have a prefix, beside those of the standard. */
const CONTEXT = ["http://www.w3.org/ns/anno.jsonld", { backscroll: "urn:backscroll:" }];
const SESSION = "urn:claude-code:session:";
const PROJECT = "urn:backscroll:project:";
const LIBRARY = "urn:backscroll:library";
const UUID_URN = "urn:uuid:";

/** The standard's words for why something is annotated. */
const MOTIVATIONS: Record<AnnotationKind, string> = {
  star: "assessing",
  tag: "tagging",
  name: "identifying",
  hidden: "moderating",
  note: "describing",
  bookmark: "bookmarking",
  comment: "commenting",
  search: "linking",
};

/** Annotations as a collection of W3C Web Annotations. */
export function toCollection(annotations: readonly Annotation[]): object {
  return {
    "@context": CONTEXT,
    type: "AnnotationCollection",
    label: "Backscroll",
    total: annotations.length,
    first: { type: "AnnotationPage", startIndex: 0, items: annotations.map(toWebAnnotation) },
  };
}

/** One annotation in the shape of https://www.w3.org/TR/annotation-model/. */
function toWebAnnotation(one: Annotation): object {
  const { kind, body, author, replyTo, target } = one;
  return {
    id: UUID_URN + one.id,
    type: "Annotation",
    motivation: replyTo === null ? MOTIVATIONS[kind] : "replying",
    ...(author === null ? {} : { creator: { type: "Person", name: author } }),
    created: new Date(one.createdAtMs).toISOString(),
    ...(one.editedAtMs === null ? {} : { modified: new Date(one.editedAtMs).toISOString() }),
    ...(body === "" ? {} : { body: { type: "TextualBody", format: "text/plain", value: body } }),
    target: {
      source: sourceOf(target),
      ...(target.recordId === null ? {} : { selector: selectorsOf(target) }),
    },
    "backscroll:kind": kind,
    ...(replyTo === null ? {} : { "backscroll:replyTo": UUID_URN + replyTo }),
    ...(one.resolvedAtMs === null ? {} : { "backscroll:resolvedAtMs": one.resolvedAtMs }),
    ...(one.sentAtMs === null ? {} : { "backscroll:sentAtMs": one.sentAtMs }),
    ...(target.lines === null ? {} : { "backscroll:lines": target.lines }),
    ...(target.hash === null ? {} : { "backscroll:hash": target.hash }),
  };
}

function sourceOf({ sessionId, projectId }: Annotation["target"]): string {
  if (sessionId !== null) return SESSION + sessionId;
  return projectId === null ? LIBRARY : PROJECT + projectId;
}

function selectorsOf({ recordId, uuid, block, range, quote }: Annotation["target"]): object[] {
  const place = new URLSearchParams({ record: recordId ?? "" });
  if (uuid !== null) place.set("uuid", uuid);
  if (block !== null) place.set("block", String(block));
  return [
    { type: "FragmentSelector", value: place.toString() },
    ...(quote ? [quoteSelector(quote)] : []),
    ...(range ? [{ type: "TextPositionSelector", start: range.from, end: range.to }] : []),
  ];
}

/** How the quote reads on the page is no part of what the standard calls a quote: it is told from the log again. */
function quoteSelector({ exact, prefix, suffix }: TextQuote): object {
  return { type: "TextQuoteSelector", exact, prefix, suffix };
}

const Urn = z
  .string()
  .startsWith(UUID_URN)
  .transform((urn) => urn.slice(UUID_URN.length));
const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const Selector = z.discriminatedUnion("type", [
  z.object({ type: z.literal("FragmentSelector"), value: z.string().max(1000) }),
  z.object({
    type: z.literal("TextQuoteSelector"),
    exact: z.string().max(20_000),
    prefix: z.string().max(1000).default(""),
    suffix: z.string().max(1000).default(""),
  }),
  z.object({
    type: z.literal("TextPositionSelector"),
    start: z.number().int().min(0),
    end: z.number().int().min(0),
  }),
]);

const WebAnnotation = z.object({
  id: Urn.pipe(z.string().regex(/^[A-Za-z0-9-]{8,64}$/)),
  motivation: z.string(),
  creator: z.object({ name: z.string().max(200) }).optional(),
  created: Time,
  modified: Time.optional(),
  body: z.object({ value: z.string().max(20_000) }).optional(),
  target: z.object({ source: z.string(), selector: z.array(Selector).default([]) }),
  "backscroll:kind": z.enum(ANNOTATION_KINDS).optional(),
  "backscroll:replyTo": Urn.optional(),
  "backscroll:resolvedAtMs": z.number().optional(),
  "backscroll:sentAtMs": z.number().optional(),
  "backscroll:lines": FileLinesShape.optional(),
  "backscroll:hash": z.string().max(100).optional(),
});

type Read = Omit<Extract<AnnotationEvent, { op: "add" }>, "op" | "event">;

/** The inverse of `toWebAnnotation`, for input from outside: throws an error that says what is wrong with it. */
export function fromWebAnnotation(item: unknown): Read | { reason: string } {
  const { data, error } = WebAnnotation.safeParse(item);
  if (!data) {
    const [issue] = error.issues;
    return { reason: `${issue?.path.join(".") || "It"}: ${issue?.message ?? "is no annotation"}` };
  }
  const kind = data["backscroll:kind"] ?? kindOf(data.motivation);
  if (!kind) return { reason: `The motivation ${data.motivation.slice(0, 40)} is none of Backscroll's` };
  const place = placeOf(data.target.source);
  if (!place || (kind === "search") !== (data.target.source === LIBRARY))
    return { reason: "It is about no session of Claude Code" };
  const body = data.body?.value ?? "";
  if (body.length > MAX_BODY[kind])
    return { reason: `A ${kind} says at most ${formatCount(MAX_BODY[kind])} characters` };
  if (body === "" && MAX_BODY[kind] > 0 && kind !== "bookmark") return { reason: `A ${kind} says something` };
  const replyTo = data["backscroll:replyTo"] ?? null;
  const record = recordOf(data.target.selector);
  if ((kind === "bookmark" || kind === "comment") && replyTo === null && record.recordId === null)
    return { reason: `A ${kind} is about a record` };
  return {
    id: data.id,
    kind,
    target: {
      ...{ ...place, ...record },
      ...{ lines: data["backscroll:lines"] ?? null, hash: data["backscroll:hash"] ?? null },
    },
    body,
    author: data.creator?.name ?? null,
    replyTo,
    createdAtMs: data.created,
    editedAtMs: data.modified ?? null,
    resolvedAtMs: data["backscroll:resolvedAtMs"] ?? null,
    sentAtMs: data["backscroll:sentAtMs"] ?? null,
  };
}

function kindOf(motivation: string): AnnotationKind | null {
  if (motivation === "replying") return "comment";
  return ANNOTATION_KINDS.find((kind) => MOTIVATIONS[kind] === motivation) ?? null;
}

const AN_ID = new RegExp(`^${ID_PATTERN}$`);
const A_RECORD_ID = new RegExp(`^${RECORD_ID_PATTERN}$`);

function placeOf(source: string): { sessionId: SessionId | null; projectId: ProjectId | null } | null {
  if (source === LIBRARY) return { sessionId: null, projectId: null };
  const start = [SESSION, PROJECT].find((one) => source.startsWith(one));
  const id = source.slice(start?.length ?? 0);
  if (start === undefined || !AN_ID.test(id)) return null;
  return start === SESSION
    ? { sessionId: id as SessionId, projectId: null }
    : { sessionId: null, projectId: id as ProjectId };
}

function recordOf(selectors: readonly z.output<typeof Selector>[]) {
  const find = <Type extends z.output<typeof Selector>["type"]>(type: Type) =>
    selectors.find((one): one is Extract<z.output<typeof Selector>, { type: Type }> => one.type === type);
  const place = new URLSearchParams(find("FragmentSelector")?.value);
  const recordId = place.get("record") ?? "";
  const isRecord = A_RECORD_ID.test(recordId);
  const position = find("TextPositionSelector");
  const quote = find("TextQuoteSelector");
  const block = place.get("block");
  return {
    recordId: isRecord ? (recordId as RecordId) : null,
    uuid: isRecord ? place.get("uuid") : null,
    block: isRecord && block !== null && /^\d{1,6}$/.test(block) ? Number(block) : null,
    range:
      isRecord && position && position.start < position.end
        ? { from: position.start, to: position.end }
        : null,
    quote: isRecord && quote ? { exact: quote.exact, prefix: quote.prefix, suffix: quote.suffix } : null,
  };
}
