import {
  createCssVariablesTheme,
  createHighlighterCore,
  type GrammarState,
  type HighlighterCore,
} from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import {
  HIGHLIGHT_LIMITS,
  type HighlightReply,
  type HighlightRequest,
  packSpans,
  TOKEN_KINDS,
} from "./highlight-job";
import { GRAMMARS } from "./highlight-languages";

const THEME = "tokens";
const CHUNK_LINES = 40;

const highlighter: Promise<HighlighterCore> = createHighlighterCore({
  themes: [createCssVariablesTheme({ name: THEME, variablePrefix: "--", fontStyle: false })],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

self.onmessage = async ({ data }: MessageEvent<HighlightRequest>) => {
  const { id, code, language } = data;
  const core = await highlighter;
  const grammar = GRAMMARS[language];
  if (grammar && !core.getLoadedLanguages().includes(language)) await core.loadLanguage(grammar);
  reply({ id, kind: "started" });
  const spans = packSpans(grammar ? tokenize(core, code, language) : []);
  reply({ id, kind: "done", spans }, [spans.all.buffer, spans.ends.buffer]);
};

function reply(message: HighlightReply, moved: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer: moved });
}

/** Works in chunks, so that it can stop when the time budget is spent; the remaining lines stay plain. */
function tokenize(core: HighlighterCore, code: string, lang: string): number[][] {
  const deadline = performance.now() + HIGHLIGHT_LIMITS.budgetMs;
  const source = code.split("\n", HIGHLIGHT_LIMITS.lines);
  const lines: number[][] = [];
  let grammarState: GrammarState | undefined;
  for (let from = 0; from < source.length && performance.now() < deadline; from += CHUNK_LINES) {
    const chunk = core.codeToTokensBase(source.slice(from, from + CHUNK_LINES).join("\n"), {
      lang,
      theme: THEME,
      grammarState,
      tokenizeMaxLineLength: HIGHLIGHT_LIMITS.lineCharacters,
      tokenizeTimeLimit: HIGHLIGHT_LIMITS.budgetMs,
    });
    grammarState = core.getLastGrammarState(chunk);
    for (const tokens of chunk)
      lines.push(tokens.flatMap(({ content, color }) => [content.length, kindOf(color)]));
  }
  return lines;
}

/** The theme's colours are `var(--token-keyword)` and the like; the kind is part of the variable's name. */
function kindOf(color: string | undefined): number {
  const name = /--token-([a-z]+)/.exec(color ?? "")?.[1] ?? "plain";
  return Math.max(0, (TOKEN_KINDS as readonly string[]).indexOf(name));
}
