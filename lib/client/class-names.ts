/** Joins class names, leaving out what is false, null, undefined or empty. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
