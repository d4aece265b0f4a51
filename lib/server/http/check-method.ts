import type { Refusal } from "./refusal";

/** What every page, file and route of the API takes that is not named here. */
const READING = ["GET", "HEAD"] as const;

/** The routes that take something else, each with all that it takes. Kept true by a test that reads app/api. */
const OTHERS: readonly { path: RegExp; methods: readonly string[] }[] = [
  { path: /^\/api\/tickets\/?$/, methods: ["POST"] },
];

/** Tells whether a path belongs to the API, in any case: nothing under such a name is ever a page. */
export const isApi = (pathname: string): boolean => /^\/api(\/|$)/i.test(pathname);

/** The methods that an address takes, whether or not there is anything at it. */
export function methodsOf(pathname: string): readonly string[] {
  return OTHERS.find(({ path }) => path.test(pathname))?.methods ?? READING;
}

/** Refuses preflights, since no other origin is ever allowed, and methods that no route has. Returns `null` for the rest. */
export function checkMethod(method: string, pathname: string): Refusal | null {
  if (method === "OPTIONS") {
    return {
      status: 403,
      code: "no-cross-origin",
      message: "No other origin is ever allowed here.",
      hint: "Call the API from Backscroll's own page, or from outside a browser.",
    };
  }
  const allowed = methodsOf(pathname);
  if (allowed.includes(method)) return null;
  return {
    status: 405,
    code: "method-not-allowed",
    message: `${isApi(pathname) ? "This address" : "A page"} cannot take ${method}.`,
    hint: `It takes ${allowed.join(" and ")}.`,
    allow: allowed.join(", "),
  };
}
