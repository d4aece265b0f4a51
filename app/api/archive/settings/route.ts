import { ownerRoute } from "@/lib/server/http/route";
import { ArchiveSettingsBody } from "@/lib/wire/requests/archive";

export const GET = ownerRoute({}, ({ state }) => state.archive.settings());

export const PUT = ownerRoute({ body: ArchiveSettingsBody }, ({ state, body }) =>
  state.archive.saveSettings(body),
);
