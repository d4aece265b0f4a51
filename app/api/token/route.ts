import { ownerRoute } from "@/lib/server/http/route";

/** The owner's token, for a browser that was opened with a ticket for it in place of the token itself. */
export const GET = ownerRoute({}, () => ({ token: process.env.BACKSCROLL_TOKEN ?? "" }));
