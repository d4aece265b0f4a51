import { z } from "zod";
import { ANNOTATION_KINDS, type AnnotationKind, MAX_BODY } from "./annotations";
import { EXPORT_FORMAT_IDS, MAX_EXPORTED_SESSIONS } from "./export-formats.mjs";
import {
  type AgentId,
  type BranchId,
  ID_PATTERN,
  type ProjectId,
  parseRowKey,
  RECORD_ID_PATTERN,
  type RecordId,
  ROW_KEY_PATTERN,
  type SessionId,
} from "./ids";
import { SESSION_SORTS } from "./library-columns";
import { MISS_CAUSES } from "./model-requests/session-requests";
import { MAX_GUEST_NAME, type Position, type PresentedView, type ThreadStanding } from "./presence";
import { DETAILS, foldedTurns } from "./rows";
import { MAX_STATED_HITS, PROMPT_SORTS, SEARCH_FIELDS } from "./search";
import { LEFT_OUT, SHARE_TIMES } from "./shares";
import { USAGE_BY, USAGE_PROMPT_SORTS } from "./usage";

/*
 * What each request takes: its query, the parts of its path, its body. The server checks with these, and the client
 * builds its addresses from their types alone, so that no page loads them.
 */

/** A whole text of this pattern. `allowed` says what that is: it is part of the error's hint. */
function text(pattern: string, allowed: string) {
  return z.string().regex(new RegExp(`^${pattern}$`), allowed);
}

const idText = text(ID_PATTERN, "an id: letters, digits and . _ ~ -");
const recordIdText = text(RECORD_ID_PATTERN, "a record id, like m~1k9");

const sessionId = idText.transform((id) => id as SessionId);
const projectId = idText.transform((id) => id as ProjectId);
const agentId = idText.transform((id) => id as AgentId);
/** An id that the page made: of a window, or of something that it adds. */
const madeId = text("[A-Za-z0-9-]{8,64}", "an id of 8 to 64 letters, digits and -");
const recordId = recordIdText.transform((id) => id as RecordId);
const branchId = recordIdText.transform((id) => id as BranchId);

/** A whole number from `least` to `most`, in decimal digits. */
function count(least: number, most: number) {
  const allowed = `a whole number from ${least} to ${most}`;
  return text("\\d{1,15}", allowed)
    .transform(Number)
    .refine((value) => value >= least && value <= most, allowed);
}

/** `0` or `1`. */
function onOff(usual: "0" | "1") {
  return z
    .enum(["0", "1"])
    .default(usual)
    .transform((wanted) => wanted === "1");
}

/** Numbers of folded turns: `1,4,9`, or `1-20,30`. Each once, in order, and of more than 20,000 the first. */
const fold = text(
  "(\\d{1,7}(-\\d{1,7})?(,\\d{1,7}(-\\d{1,7})?)*)?",
  "turn numbers and ranges, like 1-20,30",
).transform(foldedTurns);

/**
 * `folded`: neighbouring calls of a tool are one row; `folded,m~1k9.0`: except in the run that begins with that row.
 * At most 500 of those. Empty folds none.
 */
const runs = text(
  `(folded(,${ROW_KEY_PATTERN}){0,500})?`,
  "folded, then keys of open runs, like folded,m~1k9.0",
).transform((keys) => (keys === "" ? null : keys.split(",").slice(1)));

/** At most 500 record ids, with commas between them. */
const recordIds = text(`(${RECORD_ID_PATTERN}(,|$)){0,500}`, "record ids, like m~1k9,m~2b").transform(
  (ids) => ids.split(",").filter(Boolean) as RecordId[],
);

/** At most 16 agents, each with the branch of it that is read and its folded runs: `a1,b2@b2~1k9!folded!b2~1ka.0`. */
const agentViews = text(
  `(${ID_PATTERN}(@${RECORD_ID_PATTERN})?(!folded(!${ROW_KEY_PATTERN}){0,100})?(,|$)){0,16}`,
  "agents, like a1,b2@b2~1k9",
).transform((views) =>
  views
    .split(",")
    .filter(Boolean)
    .map((view) => {
      const [place = "", folded, ...open] = view.split("!");
      const [agent, branch] = place.split("@");
      return {
        agent: agent as AgentId,
        branch: (branch ?? null) as BranchId | null,
        runs: folded ? open : null,
      };
    }),
);

/** Lines from 1, both ends included: `12-40`. */
const lines = text("[1-9]\\d{0,8}-[1-9]\\d{0,8}", "line numbers, like 12-40").transform((range) => {
  const [from = 1, to = 1] = range.split("-").map(Number);
  return { from, to };
});

const page = {
  limit: count(1, 1000).default(200),
  cursor: z.string().max(400).nullable().default(null),
};

/** Which thread of a session, at which level, and what of it is folded. */
const thread = {
  branch: branchId.nullable().default(null),
  agent: agentId.nullable().default(null),
  detail: z.enum(DETAILS).default("tools"),
  fold: fold.default([]),
  runs: runs.nullable().default(null),
};

/** `sessions/{id}/…` */
export const SessionPath = z.object({ id: sessionId });
/** `…/records/{recordId}` and `…/calls/{recordId}` */
export const RecordPath = z.object({ recordId });
/** `…/records/{recordId}/blobs/{n}` */
export const BlobPath = z.object({ recordId, n: count(0, 100_000) });
/** `…/blame`, the same in `…/file` and, without `at`, `…/file-versions`. `at`: a record, a call in it, or just before it. */
export const FileVersionsRequest = z.object({ path: z.string().min(1).max(4096) });
const fileVersion = text(
  `${RECORD_ID_PATTERN}(\\.\\d{1,6}(:before|:after)?)?`,
  "a record id, like m~1k9, or a version's id, like m~1k9.0",
)
  .nullable()
  .default(null);
/** `…/changed-files`: all that the session changed in its project, as it was then. */
export const ChangedFilesRequest = z.object({ at: fileVersion });
export const FileRequest = z.object({ ...FileVersionsRequest.shape, at: fileVersion });
/** `…/file`. `blame`: with who wrote its lines. `against`: with the file as it was at another version, for a comparison. */
export const FileAtRequest = z.object({
  ...FileRequest.shape,
  against: fileVersion,
  blame: z
    .literal("1")
    .optional()
    .transform((wanted) => wanted !== undefined),
});
/** `files`: which sessions changed a file, by its path or the end of it. */
export const FileSessionsRequest = z.object({ ...FileVersionsRequest.shape, ...page });
/** `files/known`: the files that sessions changed; `q` is a part of the path. */
export const KnownFilesRequest = z.object({ q: z.string().max(4096).default(""), limit: page.limit });
/** `why`: where a line is from. Lines of fewer letters stand everywhere. */
export const WhyRequest = z.object({
  text: z
    .string()
    .max(2000)
    .transform((line) => line.trim())
    .refine((line) => line.length >= 4 && !line.includes("\n"), "one line, of at least 4 characters"),
  path: z.string().max(4096).nullable().default(null),
});
/** `…/turns/{turn}/brief` */
export const TurnPath = z.object({ turn: count(1, 1e7) });
/** `…/extras/{extraId}` */
export const ExtraPath = z.object({
  extraId: text("[0-9a-f]{12}", "an id that the list of extras gave out"),
});

/** `…/originals`: which there are, or the bytes of one. */
export const OriginalsRequest = z.object({ path: z.string().max(4096).nullable().default(null) });

/** `…/branches`, `…/agents` and `…/files` */
export const PageRequest = z.object(page);

/** `…/related`; all of them where no limit is given. */
export const RelatedRequest = z.object({
  limit: count(1, 1000).nullable().default(null),
  cursor: page.cursor,
});

/** By whose clock days are told, such as `Europe/Berlin`; the server's for none, and for one that is not known there. */
const zone = z.string().max(100).nullable().default(null);

/**
 * `sessions`. `q`: words of the title, first prompt, branch or path, and filters. `ids`: of these at most 100 alone, hidden
 * ones too, each with its `resumeCommand`.
 */
export const SessionsRequest = z.object({
  ids: text(`${ID_PATTERN}(,${ID_PATTERN}){0,99}`, "at most 100 ids of sessions, with commas between them")
    .transform((ids) => ids.split(",") as SessionId[])
    .nullable()
    .default(null),
  project: projectId.nullable().default(null),
  q: z.string().max(1000).nullable().default(null),
  sort: z.enum(SESSION_SORTS).default("active"),
  zone,
  ...page,
});

export const SearchRequest = z.object({
  q: z.string().max(1000).default(""),
  project: projectId.nullable().default(null),
  session: sessionId.nullable().default(null),
  here: sessionId.optional(),
  zone,
  limit: count(1, 500).default(50),
  cursor: page.cursor,
});

/** At most 100 hits, each by its session, record and block: `<session>!m~1k9.0`. */
export const HitPlacesRequest = z.object({
  hits: text(`(${ID_PATTERN}!${ROW_KEY_PATTERN}(,|$)){0,100}`, "hits, like <session>!m~1k9.0").transform(
    (hits) =>
      hits
        .split(",")
        .filter(Boolean)
        .map((hit) => {
          const cut = hit.indexOf("!");
          return { session: hit.slice(0, cut) as SessionId, ...parseRowKey(hit.slice(cut + 1)) };
        }),
  ),
});

/** The body of `POST search/states`. */
export const HitStatesBody = z.object({
  hits: z
    .array(z.object({ session: sessionId, recordId, block: z.int().min(0), field: z.enum(SEARCH_FIELDS) }))
    .max(MAX_STATED_HITS),
});

export const DoctorRequest = z.object({
  session: sessionId.nullable().default(null),
  format: z.enum(["json", "text"]).default("json"),
});

/** `doctor/secrets` */
export const DoctorSecretsRequest = z.object({
  session: DoctorRequest.shape.session,
  format: z.enum(["json", "text", "sarif"]).default("json"),
});

export const EventsRequest = z.object({
  session: sessionId.nullable().default(null),
  since: z.string().max(200).nullable().default(null),
  ...thread,
  agents: agentViews.default([]),
  window: madeId.nullable().default(null),
  news: z
    .literal("1")
    .optional()
    .transform((wanted) => wanted !== undefined),
});

/** `…/errors` */
export const ThreadRequest = z.object(thread);

/** `…/rows`. `beginning`: while the session is read for the first time, its first rows will do. */
export const RowsRequest = z.object({
  ...thread,
  from: count(0, 1e9).default(0),
  count: count(1, 200).default(100),
  around: recordId.nullable().default(null),
  beginning: z
    .literal("1")
    .optional()
    .transform((wanted) => wanted !== undefined),
});

/** `…/outline` */
export const OutlineRequest = z.object({
  branch: thread.branch,
  from: count(0, 1e9).default(0),
  count: count(1, 5000).default(1000),
  detail: thread.detail,
  fold: thread.fold,
  runs: thread.runs,
});

/** `…/graph`: the session's map; with `segment` what one item of it holds; with `rows` where things are in a thread,
 * of what `find` names or `q` finds as well.
 */
export const GraphRequest = z.object({
  segment: recordId.nullable().default(null),
  holds: count(0, 1e6).default(0),
  rows: z
    .literal("1")
    .nullable()
    .default(null)
    .transform((wanted) => wanted !== null),
  ...thread,
  find: recordIds.default([]),
  q: z.string().max(1000).nullable().default(null),
});

/** `…/calls/{recordId}`. `original`: lines of the file as it was before the call. */
export const CallRequest = z.object({
  block: count(0, 100_000).default(0),
  original: lines.nullable().default(null),
});

/** `…/records/{recordId}`. `raw`: the line's bytes. */
export const RecordRequest = z.object({
  raw: onOff("0"),
});

/** `…/messages` */
export const MessagesRequest = z.object({ at: text(ID_PATTERN, "a record id, uuid or tool-use id") });

/**
 * `…/compare`: two branches, or another session in place of either. Without `right` the active branch, without `left`
 * the one that was left last. `pair`: the rows of the turns that stand beside each other there.
 */
export const CompareRequest = z.object({
  left: idText.nullable().default(null),
  right: idText.nullable().default(null),
  pair: count(0, 1e6).nullable().default(null),
});

/** `…/turns/{turn}/brief` */
export const BriefRequest = z.object({ branch: branchId.nullable().default(null) });

/** At most 500 names of secrets as a redaction gives them, with a dot: `email.2,user.1`. */
const secretNames = text(
  "([a-z0-9-]{1,40}\\.\\d{1,7}(,|$)){0,500}",
  "names of secrets, like email.2,user.1",
).transform((names) =>
  names
    .split(",")
    .filter(Boolean)
    .map((name) => name.replace(".", " ")),
);

/**
 * `…/requests`: all of a session's, or with a `limit` those of one thread: that with the request `step`, else that of the
 * agent, else the main one.
 */
export const RequestsRequest = z.object({
  agent: thread.agent,
  // What is no record names no request.
  step: z.string().max(400).nullable().default(null),
  limit: count(1, 5000).nullable().default(null),
  cursor: page.cursor,
  // A page that is not the first has them too, for whoever goes on with a thread that has grown.
  threads: onOff("0"),
});

/** At most 200 ids of spans: `t.m~1k9.0,g.a1.0`. */
const spanIds = text(
  "([a-z]\\.[A-Za-z0-9._~-]{1,220}(,|$)){1,200}",
  "ids of spans, like t.m~1k9.0",
).transform((ids) => ids.split(",").filter(Boolean));

/** `…/spans`: of a turn, of some (`3-7`, `3-` from there on), or of all. `only` these, with what they are about. With a `limit` page by page. */
export const SpansRequest = z.object({
  branch: thread.branch,
  turn: text("\\d{1,7}(-\\d{0,7})?", "a turn, like 3, or turns, like 3-7 or 3-")
    .transform((range) => {
      const [from = "0", to] = range.split("-");
      return { from: Number(from), to: to === "" ? Number.POSITIVE_INFINITY : Number(to ?? from) };
    })
    .nullable()
    .default(null),
  only: spanIds.nullable().default(null),
  limit: count(1, 5000).nullable().default(null),
  cursor: page.cursor,
});

/** The number of a branch, as the page shows it, or its id. */
const branchOrNumber = text(
  `(\\d{1,7}|${RECORD_ID_PATTERN})`,
  "a branch’s number, like 2, or its id, like m~1k9",
).transform((branch) => (branch.includes("~") ? (branch as BranchId) : Number(branch)));

/** Turns from 1, both ends included: `3-7`, or `3`. */
const turns = text(
  "[1-9]\\d{0,6}(-[1-9]\\d{0,6})?",
  "a turn, like 3, or the first and the last, like 3-7",
).transform((range) => {
  const [from = 1, to = from] = range.split("-").map(Number);
  return { from, to };
});

/** Records, both ends included: `m~1k9..m~2ab`, or at most 500 of them: `m~1k9,m~2ab`. */
const someRecords = text(
  `${RECORD_ID_PATTERN}(\\.\\.${RECORD_ID_PATTERN}|(,${RECORD_ID_PATTERN}){0,499})`,
  "the first and the last record, like m~1k9..m~2ab, or at most 500 records with commas between them",
).transform((list) => {
  const [from, to] = list.split("..") as [RecordId, RecordId?];
  return to === undefined ? (list.split(",") as RecordId[]) : { from, to };
});

/**
 * `…/export`. `redact`: with secrets replaced, but for those that `except` names. `tilde`: with the home folder as `~`;
 * `relative`: with paths in the project's folder from there. Of the session a branch, turns of it or single records, and
 * with 0 no thinking, no tool calls, no agents' threads or no images and documents. `digest`: of a clone, how many turns
 * stay behind a digest of all before them.
 */
export const ExportRequest = z.object({
  format: z.enum(EXPORT_FORMAT_IDS),
  redact: onOff("0"),
  except: secretNames.default([]),
  tilde: onOff("0"),
  relative: onOff("0"),
  branch: branchOrNumber.nullable().default(null),
  turns: turns.nullable().default(null),
  records: someRecords.nullable().default(null),
  thinking: onOff("1"),
  tools: onOff("1"),
  agents: onOff("1"),
  images: onOff("1"),
  digest: count(1, 1e6).nullable().default(null),
});

/** `…/export-sizes`: of what `…/export` would be in each format, or in one. */
export const ExportSizesRequest = ExportRequest.omit({ format: true, digest: true }).extend({
  format: ExportRequest.shape.format.nullable().default(null),
});

/** `export`: a zip of sessions, each by its id or by a beginning of it that no other has. */
export const ManyExportRequest = z.object({
  sessions: text(
    `${ID_PATTERN}(,${ID_PATTERN}){0,${MAX_EXPORTED_SESSIONS - 1}}`,
    `ids of 1 to ${MAX_EXPORTED_SESSIONS} sessions, with commas between them`,
  ).transform((ids) => ids.split(",")),
  format: ExportRequest.shape.format,
  redact: ExportRequest.shape.redact,
  tilde: ExportRequest.shape.tilde,
  relative: ExportRequest.shape.relative,
  thinking: ExportRequest.shape.thinking,
  tools: ExportRequest.shape.tools,
  agents: ExportRequest.shape.agents,
  images: ExportRequest.shape.images,
});

/**
 * The body of `POST tickets`: of a download, or of the owner's token, for a browser that is to be opened. The longest path
 * names 500 sessions by the names of their logs.
 */
export const TicketBody = z.object({
  path: z
    .string()
    .max(50_000)
    .regex(
      /^\/api\/(token|sessions\/[A-Za-z0-9._~-]+\/changed-files\?(at=[a-z0-9~.:]+)?|(sessions\/[A-Za-z0-9._~-]+\/export\?|export\?sessions=[A-Za-z0-9._~,-]+&)format=[a-z]+(&(redact|except|tilde|relative|branch|turns|records|thinking|tools|agents|images|digest)=[a-z0-9.,~-]+){0,12})$/,
      "a download's path and query, or /api/token",
    ),
});

/**
 * The body of `POST shares`. `place`: what the owner's address has behind the session's path, as `?branch=…&at=…#…`.
 * `except`: names of secrets that stay, like `email 2`. `without`: what its readers do not get. `comments`: whoever has
 * the link reads and writes comments.
 */
export const ShareBody = z.object({
  sessionId,
  expiresInMs: z.number().int().min(SHARE_TIMES.least).max(SHARE_TIMES.most).default(SHARE_TIMES.default),
  redact: z.boolean().default(true),
  except: z
    .array(z.string().regex(/^[a-z0-9-]{1,40} \d{1,7}$/))
    .max(500)
    .default([]),
  without: z
    .array(z.enum(LEFT_OUT))
    .max(20)
    .default([])
    .transform((names) => LEFT_OUT.filter((name) => names.includes(name))),
  place: z
    .string()
    .max(30_000)
    .regex(/^([?#][^\s]*)?$/, "the part of an address from ? or # on")
    .default(""),
  comments: z.boolean().default(false),
});

/** `shares/{id}` */
export const SharePath = z.object({ id: text(ID_PATTERN, "a share's id") });

/** What a guest calls themselves, in one line; `null` for nothing. */
const guestName = z
  .string()
  .max(MAX_GUEST_NAME)
  .nullable()
  .default(null)
  .transform((name) => name?.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim() || null);

/** `annotations`: those of a session, or all; `kinds`: of these kinds alone. */
export const AnnotationsRequest = z.object({
  session: sessionId.nullable().default(null),
  kinds: text(`((${ANNOTATION_KINDS.join("|")})(,|$)){0,${ANNOTATION_KINDS.length}}`, "kinds, like star,tag")
    .transform((kinds) => kinds.split(",").filter(Boolean) as AnnotationKind[])
    .default([]),
  /** `w3c`: as a collection of W3C Web Annotations, to be kept elsewhere. */
  format: z.enum(["json", "w3c"]).default("json"),
});

/** `annotations/{id}` */
export const AnnotationPath = z.object({ id: madeId });

/** Lines of a file that a diff shows. */
export const FileLinesShape = z
  .object({
    path: z.string().min(1).max(1_000),
    from: z.number().int().min(1).max(1e8),
    to: z.number().int().min(1).max(1e8),
    before: z.boolean().default(false),
  })
  .refine(({ from, to }) => from <= to, "lines from the first to the last");

/**
 * The body of `POST annotations`. Of a record the server itself writes down what stands there. `selected`: what was
 * selected of a block's text as it is shown, without its markup, and what stands before it.
 */
export const AnnotationBody = z
  .object({
    id: madeId,
    kind: z.enum(ANNOTATION_KINDS),
    target: z.object({
      sessionId: sessionId.nullable().default(null),
      projectId: projectId.nullable().default(null),
      recordId: recordId.nullable().default(null),
      block: z.number().int().min(0).max(100_000).nullable().default(null),
      selected: z
        .object({ text: z.string().min(1).max(4_000), before: z.string().max(200).default("") })
        .nullable()
        .default(null),
      lines: FileLinesShape.nullable().default(null),
    }),
    body: z.string().trim().max(MAX_BODY.comment).default(""),
    replyTo: madeId.nullable().default(null),
    /** What a guest calls themselves; the owner has no name. */
    author: guestName,
  })
  .refine(({ kind, body }) => body.length <= MAX_BODY[kind], "a shorter body for this kind")
  .refine(({ kind, body }) => MAX_BODY[kind] === 0 || kind === "bookmark" || body !== "", "a body")
  .refine(
    ({ kind, target: { sessionId: session, projectId: project } }) =>
      [session, project].filter((id) => id !== null).length === (kind === "search" ? 0 : 1),
    "either a session or a project, and neither for a search",
  )
  .refine(({ kind, target, replyTo }) => {
    const isOfPlace = kind === "bookmark" || kind === "comment";
    return replyTo !== null ? kind === "comment" : isOfPlace === (target.recordId !== null);
  }, "a record for bookmarks and comments, and none for others");

/**
 * The body of `PATCH annotations/{id}`. `revision`: of what the new body replaces; where that has changed meanwhile
 * nothing is replaced. `sent`: it was copied into a prompt.
 */
export const AnnotationChange = z.object({
  body: z.string().trim().min(1).max(MAX_BODY.comment).optional(),
  revision: z.number().int().min(0).optional(),
  resolved: z.boolean().optional(),
  sent: z.literal(true).optional(),
});

/** `DELETE annotations/{id}`: `revision` as in a change. */
export const AnnotationRemoval = z.object({
  revision: z.coerce.number().int().min(0).optional(),
});

/** The body of `PUT annotations`: items of a collection of W3C Web Annotations. */
export const AnnotationImportBody = z.object({ items: z.array(z.unknown()).max(1000) });

const rowKey = text(`${ROW_KEY_PATTERN}[a-z.]{0,10}`, "a row's key, like m~1k9.0");
const words = z.string().max(8_000).nullable();

const threadStanding = z.object({
  at: z.object({ key: rowKey, recordId, block: z.number().int().min(0).max(1e6) }).nullable(),
  above: z.number().min(0).max(1),
  atEnd: z.boolean(),
  open: z.array(rowKey).max(200),
  selected: rowKey.nullable(),
}) satisfies z.ZodType<ThreadStanding>;

const presentedView = z.object({
  branch: branchId.nullable(),
  agent: agentId.nullable(),
  detail: z.enum(DETAILS),
  fold: words,
  runs: words,
  panes: words,
  view: words,
  turn: z.number().int().nullable(),
  at: words,
  file: words,
  version: words,
  against: words,
  line: z.number().int().nullable(),
  left: words.default(null),
  right: words.default(null),
  step: words.default(null),
  look: words.default(null),
  range: words.default(null),
}) satisfies z.ZodType<PresentedView>;

const position = z.object({
  sessionId,
  shown: presentedView,
  thread: threadStanding,
  beside: z.array(z.object({ agent: agentId, thread: threadStanding })).max(16),
}) satisfies z.ZodType<Position>;

/** The body of `PUT presence`. `window`: the page that asks, as its stream of events names it. A guest may follow alone. */
export const PresenceBody = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("present"),
    window: madeId,
    /** What `presenting.id` is to be; the server makes one where it is missing. */
    presentation: madeId.optional(),
    position,
  }),
  z.object({ kind: z.literal("end"), window: madeId }),
  z.object({
    kind: z.literal("follow"),
    window: madeId,
    follows: z.boolean(),
    name: guestName,
  }),
]);

/** The body of `PUT archive/settings`. */
export const ArchiveSettingsBody = z.object({
  enabled: z.boolean(),
  leftOut: z.array(z.string().min(1).max(4096)).max(1000),
  maxStoredBytes: z.number().int().positive().nullable(),
  maxAgeDays: z.number().int().positive().max(100_000).nullable(),
});

/** What a handler gets of a request. */
export type Checked<Schema extends z.ZodType> = z.output<Schema>;

/** A page of a collection: `cursor` is an earlier answer's `nextCursor`. */
export type Page = Checked<typeof PageRequest>;

/** Which page of the related sessions is asked for. */
export type RelatedPage = Checked<typeof RelatedRequest>;

/** A view of a thread. Where nothing is given of folded runs, none is folded. */
type View<Query extends { runs: unknown }> = Omit<Query, "runs"> & Partial<Pick<Query, "runs">>;

/** Which turns of which thread an outline is asked for. */
export type OutlineQuery = View<Checked<typeof OutlineRequest>>;
export type RequestsQuery = Checked<typeof RequestsRequest>;
export type SpansQuery = Omit<Checked<typeof SpansRequest>, keyof SpansCut>;
/** Which page of the spans. */
export type SpansCut = Pick<Checked<typeof SpansRequest>, "limit" | "cursor">;

/** Around a record, when one is given: `from` is not used then. */
export type RowsQuery = View<Omit<Checked<typeof RowsRequest>, "beginning">> & { beginning?: boolean };

/** Which two are compared. */
export type CompareQuery = Omit<Checked<typeof CompareRequest>, "pair">;

/** Which thread's errors are looked for, and in which view of it. */
export type ErrorsQuery = View<Checked<typeof ThreadRequest>>;

/** Which thread's rows a minimap draws. `find`: records to be marked, such as hits of a search. */
export type MinimapQuery = ErrorsQuery & Pick<Checked<typeof GraphRequest>, "find">;

type Text = string | number | boolean;

/** What a client gives for a request: values that print as themselves, and what is more than that as its text. */
export type Asked<Schema extends z.ZodObject> = {
  [Name in keyof z.output<Schema>]?:
    | ([NonNullable<z.output<Schema>[Name]>] extends [Text]
        ? z.output<Schema>[Name]
        : Extract<z.input<Schema>[Name & keyof z.input<Schema>], string>)
    | null;
};

/** A day, or a moment in epoch milliseconds. */
const moment = text("\\d{4}-\\d{2}-\\d{2}|\\d{11,15}", "a day, like 2026-11-19, or epoch milliseconds")
  .refine((value) => !value.includes("-") || isDay(value), "a day that there is")
  .transform((value) => (value.includes("-") ? { day: value } : { ms: Number(value) }));

/** True for a day that there is, like `2026-11-19`: a 31st of February would be another one. */
export function isDay(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * `usage`. `to`: a day included, a moment not. `agents=0`: what main threads used alone. `zone`: by whose clock days are
 * told, such as `Europe/Berlin`. Without a `limit` all rows come at once.
 */
export const UsageRequest = z.object({
  by: z.enum(USAGE_BY).default("day"),
  limit: count(1, 100_000).nullable().default(null),
  // It contains a row's key, which may be any name of a branch or tool.
  cursor: z.string().max(8_000).nullable().default(null),
  from: moment.nullable().default(null),
  to: moment.nullable().default(null),
  project: projectId.nullable().default(null),
  agents: onOff("1"),
  zone,
});

/** `mcp`. `redact=0`: with secrets as they are; `links=0`: without addresses of pages, where nobody can open them. */
export const McpRequest = z.object({ redact: onOff("1"), links: onOff("1") });

/** `usage/prompts` */
export const UsagePromptsRequest = UsageRequest.omit({ by: true, cursor: true }).extend({
  sort: z.enum(USAGE_PROMPT_SORTS).default("cost"),
  limit: count(1, 1_000).default(100),
});

/** `prompts`. `q`: words of a prompt, and filters of sessions. */
export const PromptsRequest = z.object({
  q: z.string().max(1000).default(""),
  project: projectId.nullable().default(null),
  sort: z.enum(PROMPT_SORTS).default("recent"),
  zone,
  limit: count(1, 1000).default(100),
  cursor: page.cursor,
});

/** `prompts/{id}` */
export const PromptPath = z.object({ id: text("[0-9a-f]{16}", "an id that the list of prompts gave out") });
export const PromptUsesRequest = PromptsRequest.omit({ sort: true });

/** `usage/misses`. `cause`: the list alone is of one. */
export const UsageMissesRequest = UsageRequest.omit({ by: true, cursor: true }).extend({
  cause: z.enum(MISS_CAUSES).nullable().default(null),
  limit: count(1, 1_000).default(100),
});
