import type { AllowedHost } from "./allowed-hosts";
import type { Refusal } from "./refusal";

/**
 * Refuses a Host that is not exactly one of ours, so that a foreign name that resolves to this machine
 * (DNS rebinding) reaches nothing. Compared as text: `new URL` would turn `127.1`, `2130706433` and
 * `evil@localhost` into ours. Returns `null` for ours.
 */
export function checkHost(host: string | null, allowed: readonly AllowedHost[]): Refusal | null {
  const given = host?.toLowerCase();
  if (given !== undefined && allowed.some((own) => own.host === given)) return null;
  return {
    status: 403,
    code: "host-not-allowed",
    message: "This name is not one that Backscroll answers to.",
    hint: `Open the address that Backscroll printed, or start it with --allow-host NAME.`,
  };
}
