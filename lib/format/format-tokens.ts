import { formatCompact } from "./format-count";

/** `84k tok`, or `null` where no usage is recorded, as before client version 1.0: none was not nothing. */
export function formatTokens(tokens: number | null): string | null {
  return tokens ? `${formatCompact(tokens)} tok` : null;
}

/** `14 tools · 31k`, or the tools alone where no usage is recorded. */
export function withTokens(words: string, tokens: number | null): string {
  return tokens ? `${words} · ${formatCompact(tokens)}` : words;
}
