import type { Usage } from "@/lib/wire/library";

/** Input, output and cache tokens together, as lists of sessions count them. */
export function totalTokens({ input, output, cacheWrite, cacheRead }: Usage): number {
  return input + output + cacheWrite + cacheRead;
}
