import type { GrammarState, HighlighterCore, ThemedToken } from "shiki/core";
import { HIGHLIGHT_LIMITS, TOKEN_KINDS } from "./highlight-job";

/** The theme's name, whose colours are `var(--token-keyword)` and the like. */
export const THEME = "tokens";
const CHUNK_LINES = 40;

/**
 * The spans of each line, as pairs of a length and a kind. Works in chunks, so that it can stop when the time budget is
 * spent; the remaining lines stay plain. What a grammar takes to begin is not of the budget: the expressions of its rules
 * are compiled as the first lines need them, within which the tokenizer gives a line up, and colours the rest of it, and
 * of what follows, like its beginning. So a chunk that took that long is done again, now that they are compiled.
 */
export function highlightLines(core: HighlighterCore, code: string, lang: string): number[][] {
  const { budgetMs, patienceMs } = HIGHLIGHT_LIMITS;
  const giveUpAtMs = performance.now() + patienceMs;
  const source = code.split("\n", HIGHLIGHT_LIMITS.lines);
  const lines: number[][] = [];
  let grammarState: GrammarState | undefined;
  let leftMs = budgetMs;
  for (let from = 0; from < source.length && leftMs > 0; from += CHUNK_LINES) {
    const text = source.slice(from, from + CHUNK_LINES).join("\n");
    let chunk: ThemedToken[][];
    let tookMs: number;
    do {
      const startedAtMs = performance.now();
      chunk = core.codeToTokensBase(text, {
        lang,
        theme: THEME,
        grammarState,
        tokenizeMaxLineLength: HIGHLIGHT_LIMITS.lineCharacters,
        tokenizeTimeLimit: budgetMs,
      });
      tookMs = performance.now() - startedAtMs;
    } while (tookMs >= budgetMs && performance.now() < giveUpAtMs);
    leftMs -= tookMs;
    grammarState = core.getLastGrammarState(chunk);
    for (const tokens of chunk)
      lines.push(tokens.flatMap(({ content, color }) => [content.length, kindOf(color)]));
  }
  return lines;
}

/** The kind is part of a variable's name. */
function kindOf(color: string | undefined): number {
  const name = /--token-([a-z]+)/.exec(color ?? "")?.[1] ?? "plain";
  return Math.max(0, (TOKEN_KINDS as readonly string[]).indexOf(name));
}
