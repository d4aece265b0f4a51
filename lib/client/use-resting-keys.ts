import { useLayoutEffect } from "react";
import { restScopes } from "./key-registry";

/** Keeps the keys of these scopes from acting on what is covered. `names` never change. */
export function useRestingKeys(covered: boolean, names: readonly string[]): void {
  useLayoutEffect(() => (covered ? restScopes(names) : undefined), [covered, names]);
}
