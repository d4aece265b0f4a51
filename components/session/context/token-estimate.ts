import { createContext, useContext } from "react";
import { formatCompact, formatPlural } from "@/lib/format/format";

/** What a token is taken to have where nothing tells how a conversation is counted. */
const USUAL_CHARS_A_TOKEN = 4;

/** About how many tokens texts have: the log has no counts of single ones. */
export class TokenEstimate {
  readonly charsAToken: number;

  /** @param measured how many characters a token has in this conversation; null where that is not known */
  constructor(readonly measured: number | null) {
    this.charsAToken = measured ?? USUAL_CHARS_A_TOKEN;
  }

  tokens(chars: number): number {
    return Math.ceil(chars / this.charsAToken);
  }

  /** `≈1.2k`: the same, as it is shown. */
  short(chars: number): string {
    return `≈${formatCompact(this.tokens(chars))}`;
  }

  /** The estimate spelled out, for a tooltip. */
  long(chars: number): string {
    return `${formatPlural(chars, "character")}, about ${formatPlural(this.tokens(chars), "token")}`;
  }
}

export const TokenEstimateContext = createContext(new TokenEstimate(null));

/** How the tokens of the request around are estimated. */
export function useTokenEstimate(): TokenEstimate {
  return useContext(TokenEstimateContext);
}
