type LinesOfFile = { path: string; from: number; to: number; before: boolean };

/**
 * `src/cart.ts:12-15`, as editors and Claude Code take it.
 * @param lines from 1, `to` included; `before`: as the file was before the change that is meant
 */
export function formatFileLines({ path, from, to, before }: LinesOfFile): string {
  return `${path}:${from}${to > from ? `-${to}` : ""}${before ? " (before the change)" : ""}`;
}
