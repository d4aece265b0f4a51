import { assistantCommand } from "@/lib/server/mcp/assistant-command";
import type { Health } from "@/lib/wire/library";
import type { Library } from "./library";

/** How far reading the logs has come, and what could not be read. */
export function toHealth(library: Library): Health {
  const { access, catalog, index, scanner, live, archive, config, warnings } = library;
  const phase = !catalog.listed ? "listing" : scanner.busy ? "scanning" : "done";
  const totals = catalog.totals();
  const bytesDone = Math.min(totals.bytesTotal, totals.bytesDone + index.bytesUnderWay);
  const isOwners = access.kind === "owner";
  return {
    version: config.version,
    build: config.build,
    indexing: { phase, ...totals, bytesDone, done: phase === "done" },
    watching: live.coverage,
    // Of a copy they would name its folder.
    warnings: isOwners ? [...catalog.warnings, ...index.warnings, ...archive.warnings, ...warnings] : [],
    roots: isOwners ? config.roots.map((root) => root.path) : [],
    demo: config.demo,
    assistantCommand: isOwners ? assistantCommand(config) : null,
    access: isOwners ? access : { ...access, sessionId: catalog.summaries()[0]?.id ?? null },
  };
}
