import { sessionRoute } from "@/lib/server/http/route";

/** What would be redacted in a session: kinds, counts and places, and of each its first characters at the most. */
export const GET = sessionRoute({}, ({ library, id }) => library.secrets.findings(id));
