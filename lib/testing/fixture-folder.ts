import { join } from "node:path";

/**
 * The folder of a fixture: a client version whose sessions are kept as it wrote them, `older` for logs made after
 * descriptions of formats that no recorded client writes, `from-the-future` for what none writes yet; all of them
 * where none is named.
 */
export function fixtureFolder(name = ""): string {
  return join(import.meta.dirname, "fixtures", name);
}
