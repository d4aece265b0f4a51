import { z } from "zod";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { AgentId, BranchId, ProjectId, RecordId, SessionId } from "@/lib/wire/ids";

const DETAILS = ["prompts", "conversation", "tools", "everything"] as const;

/** Ids are opaque, but never hold what a path or a query is made of. */
const idText = z.string().regex(/^[A-Za-z0-9._~-]{1,200}$/, "an id: letters, digits and . _ ~ -");
const recordIdText = z.string().regex(/^[a-z0-9]{1,32}~[0-9a-z]{1,16}$/, "a record id, like m~1k9");

export const SessionIdParam = idText.transform((id) => id as SessionId);
export const ProjectIdParam = idText.transform((id) => id as ProjectId);
export const RecordIdParam = recordIdText.transform((id) => id as RecordId);
/** At most 500 record ids, with commas between them. */
export const RecordIdsParam = z
  .string()
  .regex(/^([a-z0-9]{1,32}~[0-9a-z]{1,16}(,|$)){0,500}$/, "record ids, like m~1k9,m~2b")
  .transform((text) => text.split(",").filter(Boolean) as RecordId[]);
export const BranchIdParam = recordIdText.transform((id) => id as BranchId);
export const AgentIdParam = idText.transform((id) => id as AgentId);
/** At most 16 agents, each with the branch of it that is looked at and its folded runs: `a1,b2@b2~1k9!folded!b2~1ka.0`. */
export const AgentViewsParam = z
  .string()
  .regex(
    /^([A-Za-z0-9._~-]{1,200}(@[a-z0-9]{1,32}~[0-9a-z]{1,16})?(!folded(![a-z0-9]{1,32}~[0-9a-z]{1,16}\.\d{1,6}){0,100})?(,|$)){0,16}$/,
    "agents, like a1,b2@b2~1k9",
  )
  .transform((text) =>
    text
      .split(",")
      .filter(Boolean)
      .map((one) => {
        const [place = "", folded, ...open] = one.split("!");
        const [agent, branch] = place.split("@");
        return {
          agent: agent as AgentId,
          branch: (branch ?? null) as BranchId | null,
          runs: folded ? open : null,
        };
      }),
  );
export const DetailParam = z.enum(DETAILS);

/** A whole number from `least` to `most`, in decimal digits. */
export function count(least: number, most: number) {
  const allowed = `a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, allowed)
    .transform(Number)
    .refine((value) => value >= least && value <= most, allowed);
}

/** Numbers of folded turns: `fold=1,4,9`, or `fold=1-20,30`. At most 20,000 turns. */
export const FoldParam = z
  .string()
  .regex(/^(\d{1,7}(-\d{1,7})?(,\d{1,7}(-\d{1,7})?)*)?$/, "turn numbers and ranges, like 1-20,30")
  .transform((text) => (text === "" ? [] : text.split(",").flatMap(toRange)).slice(0, 20_000));

/**
 * `runs=folded`: neighbouring calls of a tool are one row; `runs=folded,m~1k9.0`: but for the run that begins
 * with that row. At most 500 of those. Anything else folds none.
 */
export const RunsParam = z
  .string()
  .regex(
    /^(folded(,[a-z0-9]{1,32}~[0-9a-z]{1,16}\.\d{1,6}){0,500})?$/,
    "folded, then keys of open runs, like folded,m~1k9.0",
  )
  .transform((text) => (text === "" ? null : text.split(",").slice(1)))
  .nullable();

/** How a thread is looked at: which one, at which level, and what of it is folded. */
export const viewParams = {
  branch: BranchIdParam.nullable().default(null),
  agent: AgentIdParam.nullable().default(null),
  detail: DetailParam.default("tools"),
  fold: FoldParam.default([]),
  runs: RunsParam.default(null),
};

/** Lines from 1, both ends included: `12-40`. */
export const LinesParam = z
  .string()
  .regex(/^[1-9]\d{0,8}-[1-9]\d{0,8}$/, "line numbers, like 12-40")
  .transform((text) => {
    const [from = 1, to = 1] = text.split("-").map(Number);
    return { from, to };
  });

/** Page of a collection. */
export const pageParams = {
  limit: count(1, 1000).default(200),
  cursor: z.string().max(400).nullable().default(null),
};

function toRange(part: string): number[] {
  const [from = 0, to = from] = part.split("-").map(Number);
  return Array.from({ length: Math.min(20_000, Math.max(0, to - from + 1)) }, (_, at) => from + at);
}

/** Checks a request's query. Throws ViewerError `bad-parameter` (400) that names the parameter and what is allowed. */
export function parseQuery<T extends z.ZodType>(request: Request, schema: T): z.output<T> {
  return parse(schema, Object.fromEntries(new URL(request.url).searchParams));
}

/** Checks the parts of a path, as `parseQuery` does. */
export async function parsePath<T extends z.ZodType>(
  params: Promise<unknown>,
  schema: T,
): Promise<z.output<T>> {
  return parse(schema, await params);
}

/** Checks a JSON body, as `parseQuery` does. A body that is no JSON is an empty one. */
export async function parseBody<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  return parse(schema, await request.json().catch(() => ({})));
}

function parse<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = issue?.path.join(".") || "query";
  const allowed =
    issue?.code === "invalid_value" ? `one of ${issue.values.join(", ")}` : (issue?.message ?? "");
  throw new ViewerError("bad-parameter", `The parameter "${name}" is not valid`, {
    status: 400,
    hint: `Allowed is ${allowed}.`,
  });
}
