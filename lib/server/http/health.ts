import type { Health } from "@/lib/wire/health";
import type { ServerState } from "./state";

/** How far reading the logs has come, and what could not be read. */
export function toHealth({ catalog, index, scanner, live, config, warnings }: ServerState): Health {
  const phase = !catalog.listed ? "listing" : scanner.busy ? "scanning" : "done";
  return {
    version: config.version,
    indexing: { phase, ...catalog.totals(), done: phase === "done" },
    watching: live.coverage,
    warnings: [...catalog.warnings, ...index.state.warnings, ...warnings],
    roots: config.roots.map((root) => root.path),
    demo: config.demo,
  };
}
