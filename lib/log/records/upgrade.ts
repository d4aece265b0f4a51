import type { JsonObject } from "./json";
import { withBackups } from "./upgrade-backups";
import { withTodaysType } from "./upgrade-legacy";
import { withMessage } from "./upgrade-message";
import { withOutcome } from "./upgrade-outcome";

/**
 * Older and odder shapes, brought to today's stepwise. A step looks at the shape, never at `version`:
 * files span versions. Each takes the type that the step before it returns, and gives a line that it has
 * nothing to do with back as it is.
 */
export function upgrade(json: JsonObject): JsonObject {
  return withBackups(withOutcome(withMessage(withTodaysType(json))));
}
