import { noSuchEndpoint } from "@/lib/server/http/caller";
import { respond } from "@/lib/server/http/respond";

function notFound(request: Request): Promise<Response> {
  return respond(request, () => {
    throw noSuchEndpoint();
  });
}

export { notFound as GET };
