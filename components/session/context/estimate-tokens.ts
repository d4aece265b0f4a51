import { formatCompact, formatCount } from "@/lib/format/format-count";

/** Tokens are not in the log: four characters a token is the usual guess, marked as one wherever it stands. */
const CHARACTERS_PER_TOKEN = 4;

/** `≈1.2k`: about how many tokens so many characters are. */
export function estimateTokens(chars: number): string {
  return `≈${formatCompact(Math.ceil(chars / CHARACTERS_PER_TOKEN))}`;
}

/** The same with what it was made from, for a hover. */
export function estimateWords(chars: number): string {
  return `${formatCount(chars)} characters, about ${formatCount(Math.ceil(chars / CHARACTERS_PER_TOKEN))} tokens`;
}
