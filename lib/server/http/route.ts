import type { z } from "zod";
import type { SessionId } from "@/lib/wire/ids";
import { SessionPath } from "@/lib/wire/requests/records";
import { type Caller, noSuchEndpoint } from "./caller";
import type { Library } from "./library";
import { parseBody, parsePath, parseSearchParams } from "./parameters";
import { respond } from "./respond";
import { getState, type ServerState } from "./state";

type Shape = z.ZodType | undefined;

/** What a route is asked for, checked by shapes; `undefined` where it has none. */
type Values<Query extends Shape, Path extends Shape, Body extends Shape> = {
  query: z.output<NonNullable<Query>>;
  path: z.output<NonNullable<Path>>;
  body: z.output<NonNullable<Body>>;
};

type Shapes<Query extends Shape, Path extends Shape, Body extends Shape> = {
  query?: Query;
  path?: Path;
  body?: Body;
};

type Context = { params: Promise<unknown> };

const NO_CONTEXT: Context = { params: Promise.resolve({}) };

/** A route as Next takes it. */
type Route = (request: Request, context?: Context) => Promise<Response>;

async function valuesOf<Q extends Shape, P extends Shape, B extends Shape>(
  request: Request,
  { params }: Context,
  shapes: Shapes<Q, P, B>,
): Promise<Values<Q, P, B>> {
  return {
    path: shapes.path && (await parsePath(params, shapes.path)),
    query: shapes.query && parseSearchParams(request, shapes.query),
    body: shapes.body && (await parseBody(request, shapes.body)),
  } as Values<Q, P, B>;
}

/**
 * A route that answers as `respond` does, with what it is asked for checked by its shapes: `bad-parameter` (400) for what
 * has another.
 * @param answer given what there is for whoever asks
 */
export function route<Q extends Shape = undefined, P extends Shape = undefined, B extends Shape = undefined>(
  shapes: Shapes<Q, P, B>,
  answer: (asked: Values<Q, P, B> & { request: Request; library: Library; caller: Caller }) => unknown,
): Route {
  return (request, context = NO_CONTEXT) =>
    respond(request, async (library, caller) =>
      answer({ ...(await valuesOf(request, context, shapes)), request, library, caller }),
    );
}

/** A route that is the owner's alone: for anybody else it does not exist. */
export function ownerRoute<
  Q extends Shape = undefined,
  P extends Shape = undefined,
  B extends Shape = undefined,
>(
  shapes: Shapes<Q, P, B>,
  answer: (asked: Values<Q, P, B> & { request: Request; state: ServerState }) => unknown,
): Route {
  return (request, context = NO_CONTEXT) =>
    respond(request, async (_library, caller) => {
      if (caller.kind !== "owner") throw noSuchEndpoint();
      return answer({ ...(await valuesOf(request, context, shapes)), request, state: getState() });
    });
}

/** A route below `/api/sessions/{id}`. A session that is not listed yet is waited for. */
export function sessionRoute<Q extends Shape = undefined, P extends Shape = undefined>(
  shapes: Shapes<Q, P, undefined>,
  answer: (
    asked: Values<Q, P, undefined> & {
      request: Request;
      library: Library;
      sessions: Library["sessions"];
      caller: Caller;
      id: SessionId;
    },
  ) => unknown,
): Route {
  return (request, context = NO_CONTEXT) =>
    respond(request, async (library, caller) => {
      const { id } = await parsePath(context.params, SessionPath);
      await library.catalog.settle(id);
      const values = await valuesOf(request, context, shapes);
      return answer({ ...values, request, library, sessions: library.sessions, caller, id });
    });
}
