import type { Leaf, Query } from "./parse-query";

/**
 * Whether a query holds, given whether each of its leaves does. `null` means unknown: a query may hold or fail all the
 * same, so what is known of a session can rule it out before its texts are read.
 */
export function evaluate(query: Query | null, holds: (leaf: Leaf) => boolean | null): boolean | null {
  if (query === null) return true;
  switch (query.kind) {
    case "not": {
      const value = evaluate(query.part, holds);
      return value === null ? null : !value;
    }
    case "and":
      return all(query.parts, (part) => evaluate(part, holds));
    case "or": {
      const none = all(query.parts, (part) => {
        const value = evaluate(part, holds);
        return value === null ? null : !value;
      });
      return none === null ? null : !none;
    }
    default:
      return holds(query);
  }
}

function all(parts: readonly Query[], value: (part: Query) => boolean | null): boolean | null {
  let unknown = false;
  for (const part of parts) {
    const holds = value(part);
    if (holds === false) return false;
    if (holds === null) unknown = true;
  }
  return unknown ? null : true;
}
