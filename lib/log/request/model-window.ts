import { modelKey } from "@/lib/cost/price-table";

const USUAL_TOKENS = 200_000;
const LARGE_TOKENS = 1_000_000;

/**
 * The tokens that a model takes in one request, as the client itself counts: its `/context` says "15.2k/1m tokens" for
 * Opus 5.5 (2.1.330), "27.2k/200k" for Sonnet 4.6 (2.1.110). From Opus 4.7 and the models numbered 5 on the window is
 * the large one by itself (the client's list of 2.1.332); the others have it where the name asks for it (`[1m]`) or a
 * request was larger than the usual one. Null for a model that is not Claude's, of which nothing is known.
 *
 * @param mostSent tokens of the model's largest request that is known
 */
export function modelWindow(model: string, mostSent: number): number | null {
  if (!model.includes("claude")) return null;
  const isLarge = model.includes("[1m]") || hasLargeWindow(model) || mostSent > USUAL_TOKENS;
  return isLarge ? LARGE_TOKENS : USUAL_TOKENS;
}

/** A family and its number, behind what a cloud puts before the name (`global.anthropic.claude-opus-5-5`). */
const NAME = /\bclaude-([a-z]+)-(\d{1,2})(?:-(\d{1,2}))?$/;

function hasLargeWindow(model: string): boolean {
  const [, family, major, minor] = NAME.exec(modelKey(model)) ?? [];
  const number = Number(major ?? 0) + Number(minor ?? 0) / 100;
  return number >= (family === "opus" ? 4.07 : 5);
}
