import { z } from "zod";
import { ROW_KEY_PATTERN } from "../ids";
import type { Position, PresentedView, ThreadStanding, ViewStanding } from "../presence";
import { DETAILS } from "../rows";
import { agentId, branchId, guestName, madeId, recordId, sessionId, textLike } from "./values";

const rowKey = textLike(`${ROW_KEY_PATTERN}[a-z.]{0,10}`, "a row's key, like m~1k9.0");
const words = z.string().max(8_000).nullable();

const threadStanding = z.object({
  at: z.object({ key: rowKey, recordId, block: z.number().int().min(0).max(1e6) }).nullable(),
  above: z.number().min(0).max(1),
  atEnd: z.boolean(),
  open: z.array(rowKey).max(200),
  selected: rowKey.nullable(),
  showsSelected: z.boolean().default(false),
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

const viewStanding = z.object({
  change: rowKey.nullable(),
  line: z.number().int().nullable(),
  above: z.number().min(0).max(1),
  showsLine: z.boolean(),
}) satisfies z.ZodType<ViewStanding>;

const position = z.object({
  sessionId,
  shown: presentedView,
  thread: threadStanding,
  scrolled: viewStanding.nullable().default(null),
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
  /**
   * The page goes, perhaps to be reloaded. `kept`: the browser may show it again as it was. Where neither can be, what it
   * presents ends at once, else soon, unless it goes on.
   */
  z.object({ kind: z.literal("leave"), window: madeId, kept: z.boolean().default(true) }),
  z.object({
    kind: z.literal("follow"),
    window: madeId,
    follows: z.boolean(),
    name: guestName,
  }),
]);
