import { useLayoutEffect, useRef } from "react";
import { addScope, type KeyCommand } from "./key-registry";

/** Registers a component's commands while it is mounted. The newest `commands` are used at each press. */
export function useKeys(scope: string, commands: readonly KeyCommand[]): void {
  const newest = useRef(commands);
  useLayoutEffect(() => {
    newest.current = commands;
  });
  useLayoutEffect(() => addScope(scope, () => newest.current), [scope]);
}
