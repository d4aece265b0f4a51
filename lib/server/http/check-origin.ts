import type { AllowedHost } from "./allowed-hosts";
import type { Refusal } from "./refusal";

/**
 * Refuses a request that a page of another origin makes: an Origin, where there is one, must be that of the
 * very Host asked. `host` has passed `checkHost`. Returns `null` for none and for ours.
 */
export function checkOrigin(
  origin: string | null,
  host: string,
  allowed: readonly AllowedHost[],
): Refusal | null {
  if (origin === null || origin === `http://${host.toLowerCase()}`) return null;
  const own = allowed.find((candidate) => candidate.host === host.toLowerCase());
  if (own?.https && origin === `https://${own.host}`) return null;
  return {
    status: 403,
    code: "origin-not-allowed",
    message: "Pages of another origin may not talk to Backscroll.",
    hint: "Open the address that Backscroll printed in a tab of its own.",
  };
}
