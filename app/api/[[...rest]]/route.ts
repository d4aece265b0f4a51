import { respond } from "@/lib/server/http/respond";
import { ViewerError } from "@/lib/server/runtime/viewer-error";

function notFound(request: Request): Promise<Response> {
  return respond(request, () => {
    throw new ViewerError("no-such-endpoint", "There is nothing at this address", {
      hint: "The README lists the API's addresses.",
    });
  });
}

export { notFound as GET };
