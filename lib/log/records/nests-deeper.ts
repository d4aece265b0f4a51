/**
 * True when arrays and objects nest deeper than `most` levels. `JSON.parse` takes any depth, but writing such a
 * value out again, or drawing it as a tree, ends the stack. Iterative for the same reason.
 */
export function nestsDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const next = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (depth >= most && level.some((one) => typeof one === "object" && one !== null)) return true;
    level = next;
  }
  return false;
}
