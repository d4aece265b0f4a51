import { toHealth } from "@/lib/server/http/health";
import { route } from "@/lib/server/http/route";

export const GET = route({}, ({ library }) => toHealth(library));
