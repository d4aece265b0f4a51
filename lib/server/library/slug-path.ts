/** The name that the client gives a project's folder: every UTF-16 unit but ASCII letters and digits becomes `-`. */
export function slugOf(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

/**
 * A guess at the path behind a folder's name, for logs that name no working directory. Not
 * reversible: every `-` is taken for a separator. The legacy `conversations/` folder used `_`.
 */
export function guessPath(slug: string): string {
  if (/^[-_]/.test(slug)) return slug.replaceAll(slug.charAt(0), "/");
  const drive = /^([A-Za-z])--(.*)$/.exec(slug);
  if (drive) return `${drive[1]}:\\${(drive[2] ?? "").replaceAll("-", "\\")}`;
  return slug;
}
