import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { type HighlightReply, type HighlightRequest, packSpans } from "./highlight-job";
import { GRAMMARS } from "./highlight-languages";
import { highlightLines, THEME } from "./highlight-lines";

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
  const spans = packSpans(grammar ? highlightLines(core, code, language) : []);
  reply({ id, kind: "done", spans }, [spans.all.buffer, spans.ends.buffer]);
};

function reply(message: HighlightReply, moved: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer: moved });
}
