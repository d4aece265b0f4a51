/** What a person said when they refused a call, and whether the client's text says that a rule did. */
export type RefusalWords = { said: string | null; byRule: string | null };

/**
 * Reads the client's text of a refused call. "…the user said:" comes with a reason typed in the dialog
 * (2.0 and later); rules and hooks name themselves.
 */
export function refusalWords(text: string): RefusalWords {
  const said = /(?:the user said|user feedback|provided the following reason[^:]*):\s*([\s\S]+)$/i.exec(
    text,
  )?.[1];
  const rule =
    /(?:denied by|because of|matches? (?:the )?)\s*(?:rule|setting|policy)?\s*[:"']?([A-Z]\w*\([^)]{1,200}\))/.exec(
      text,
    )?.[1];
  return { said: said?.trim() || null, byRule: rule ?? null };
}
