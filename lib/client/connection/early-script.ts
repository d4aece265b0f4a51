import { basePath } from "@/lib/client/address/base-path";
import { DEFAULT_PREFERENCES } from "../preferences";
import { PREFERENCES_KEY } from "../theme-script";
import { shareKey, tokenKey } from "./token";

/*
 * It takes a third of a second until the page's own code runs. What it is sure to ask for first, a script in the
 * document's head asks for at once; the answers wait in `early-answers.ts`.
 */

/** Addresses of the API, by the preferences that they depend on: a key is `<detail>/<foldRuns>`. */
export type EarlyRequests = Readonly<Record<string, readonly string[]>>;

type Browser = {
  base: string;
  tokenKeys: { share: string; owner: string };
  preferences: { key: string; detail: string; foldRuns: boolean };
};

/** The script for a document, as its text: nothing in it can end the element that it stands in. */
export function earlyScript(requests: EarlyRequests): string {
  const { detail, foldRuns } = DEFAULT_PREFERENCES;
  const browser: Browser = {
    base: basePath(),
    tokenKeys: { share: shareKey(), owner: tokenKey() },
    preferences: { key: PREFERENCES_KEY, detail, foldRuns },
  };
  const given = [requests, browser].map((one) => JSON.stringify(one).replaceAll("<", "\\u003c"));
  return `(${askEarly.toString()})(${given.join(",")})`;
}

/**
 * What the script does. It is sent as text, so it knows nothing but its arguments and the browser. A page that is loaded
 * anew or come back to begins where its reader was, which only its own code knows.
 */
function askEarly(requests: EarlyRequests, { base, tokenKeys, preferences }: Browser): void {
  try {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (navigation?.type !== "navigate") return;
    const [, linked, ticket] = /[#&](?:t=([A-Za-z0-9._~-]{16,})|(ticket=))/.exec(location.hash) ?? [];
    const token = linked ?? sessionStorage.getItem(tokenKeys.share) ?? localStorage.getItem(tokenKeys.owner);
    if (token === null || ticket) return;
    const { detail, foldRuns } = {
      ...preferences,
      ...JSON.parse(localStorage.getItem(preferences.key) ?? "{}"),
    };
    const authorization = `Bearer ${token}`;
    window.backscrollEarly = (requests[`${detail}/${foldRuns}`] ?? []).map((url) => {
      const response = fetch(base + url, {
        headers: { Authorization: authorization },
        cache: "no-store",
        credentials: "omit",
        // Behind the page's code, which the same thread of the server sends.
        priority: "low",
      });
      // Whoever takes it hears of a failure; where nobody does, nobody has to.
      response.catch(() => undefined);
      return { url, authorization, askedAtMs: performance.now(), response };
    });
  } catch {
    // A browser that refuses its storage: the page asks by itself.
  }
}
