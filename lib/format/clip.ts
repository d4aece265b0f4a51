const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * At most `length` UTF-16 units, with an ellipsis where text was cut. Lone halves of surrogate pairs,
 * which logs hold and cutting makes, become U+FFFD: they cannot be put into a URL.
 */
export function clip(text: string, length: number): string {
  const kept = text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`;
  return kept.replace(LONE_SURROGATE, "\ufffd");
}
