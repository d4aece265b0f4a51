/** What every page, file and route takes that is not said to take something else. */
const READING = ["GET", "HEAD"] as const;

/**
 * A route of the API. `guests`: the methods with which also whoever comes with a share's token may ask; for them there is
 * only the session that they were given. For all else they are told that there is nothing at this address, and where it
 * is `ofComments`, with a share that has none, too.
 */
type Route = {
  path: string;
  methods: readonly string[];
  guests: readonly string[];
  ofComments: boolean;
};

const owners = (path: string, methods: readonly string[] = READING): Route => ({
  path,
  methods,
  guests: [],
  ofComments: false,
});
const everyones = (path: string, methods: readonly string[] = READING): Route => ({
  path,
  methods,
  guests: methods,
  ofComments: false,
});

/** Every route that there is, in the order in which they are looked for. Kept true by tests that read app/api. */
export const ROUTES: readonly Route[] = [
  {
    ...owners("/api/annotations", ["GET", "HEAD", "POST", "PUT"]),
    guests: ["GET", "HEAD", "POST"],
    ofComments: true,
  },
  { ...everyones("/api/annotations/[id]", ["PATCH", "DELETE"]), ofComments: true },
  owners("/api/archive"),
  owners("/api/archive/settings", ["GET", "HEAD", "PUT"]),
  owners("/api/doctor"),
  owners("/api/doctor/secrets"),
  everyones("/api/events"),
  owners("/api/export"),
  owners("/api/files"),
  owners("/api/files/known"),
  everyones("/api/health"),
  owners("/api/mcp", ["POST"]),
  owners("/api/now"),
  everyones("/api/presence", ["PUT"]),
  owners("/api/projects"),
  owners("/api/prompts"),
  owners("/api/prompts/[id]"),
  everyones("/api/search"),
  everyones("/api/search/places"),
  owners("/api/search/states", ["POST"]),
  owners("/api/sessions"),
  everyones("/api/sessions/[id]"),
  everyones("/api/sessions/[id]/agents"),
  everyones("/api/sessions/[id]/blame"),
  everyones("/api/sessions/[id]/branches"),
  everyones("/api/sessions/[id]/calls/[recordId]"),
  everyones("/api/sessions/[id]/changed-files"),
  everyones("/api/sessions/[id]/commits"),
  everyones("/api/sessions/[id]/compare"),
  everyones("/api/sessions/[id]/errors"),
  everyones("/api/sessions/[id]/export"),
  everyones("/api/sessions/[id]/export-sizes"),
  everyones("/api/sessions/[id]/extras"),
  everyones("/api/sessions/[id]/extras/[extraId]"),
  everyones("/api/sessions/[id]/facts"),
  everyones("/api/sessions/[id]/file"),
  everyones("/api/sessions/[id]/file-versions"),
  everyones("/api/sessions/[id]/files"),
  owners("/api/sessions/[id]/findings"),
  everyones("/api/sessions/[id]/graph"),
  everyones("/api/sessions/[id]/messages"),
  owners("/api/sessions/[id]/originals"),
  everyones("/api/sessions/[id]/outline"),
  everyones("/api/sessions/[id]/records/[recordId]"),
  everyones("/api/sessions/[id]/records/[recordId]/blobs/[n]"),
  everyones("/api/sessions/[id]/related"),
  everyones("/api/sessions/[id]/requests"),
  everyones("/api/sessions/[id]/rows"),
  everyones("/api/sessions/[id]/spans"),
  everyones("/api/sessions/[id]/touched-files"),
  everyones("/api/sessions/[id]/turns/[turn]/brief"),
  owners("/api/shares", ["GET", "HEAD", "POST"]),
  owners("/api/shares/[id]", ["DELETE"]),
  everyones("/api/tickets", ["POST"]),
  owners("/api/token"),
  owners("/api/usage"),
  owners("/api/usage/misses"),
  owners("/api/usage/prompts"),
  owners("/api/why"),
];

const PATTERNS = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/\[\w+\]/g, "[^/]+")}/?$`),
}));

/** The route at a path as it stands in the request line; null where there is none. */
export function routeAt(pathname: string): Route | null {
  return PATTERNS.find(({ pattern }) => pattern.test(pathname))?.route ?? null;
}

/** The methods that an address takes, whether or not there is anything at it. */
export function methodsOf(pathname: string): readonly string[] {
  return routeAt(pathname)?.methods ?? READING;
}
