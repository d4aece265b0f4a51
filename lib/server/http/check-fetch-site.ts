import type { Refusal } from "./refusal";

/**
 * Refuses API calls that a browser says another site or another port of this machine (`same-site`) made.
 * `none` passes for a navigation alone: a typed address. Absent outside browsers and on plain HTTP beyond
 * loopback; then the token decides. Returns `null` for what may pass.
 */
export function checkFetchSite(site: string | null, mode: string | null): Refusal | null {
  if (site === null || site === "same-origin") return null;
  if (site === "none" && mode === "navigate") return null;
  return {
    status: 403,
    code: "cross-site",
    message: "Another site may not call this API.",
    hint: "Open the address that Backscroll printed in a tab of its own.",
  };
}
