import { ownerRoute } from "@/lib/server/http/route";

export const GET = ownerRoute({}, ({ state }) => state.archive.status());
