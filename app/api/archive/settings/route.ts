import { parseBody } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { ArchiveSettingsBody } from "@/lib/wire/requests";

export function GET(request: Request): Promise<Response> {
  return respond(request, () => getState().archive.settings());
}

export function PUT(request: Request): Promise<Response> {
  return respond(request, async () =>
    getState().archive.saveSettings(await parseBody(request, ArchiveSettingsBody)),
  );
}
