import { CHALLENGE_HEADER, PROOF_HEADER, provenText } from "@/lib/wire/proof.mjs";
import { randomHex, toHex } from "./random-hex";

/*
 * A page outlives its server, and then asks for it again and again: another program may have taken the port. The
 * token goes to nobody who has not shown that they know it, unless they have just answered or hold a stream.
 */

/** So long after an answer nobody else is there yet. */
const KNOWN_MS = 5_000;
/** Where the port is any program's of this machine. Elsewhere, and where the browser computes no HMAC, nothing is asked. */
const LOOPBACK = /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/;

/** When this server answered last: the page itself has just come from it. */
let answeredAtMs = performance.now();
let streams = 0;
let asked: Promise<Standing> | null = null;

/** `other`: it proves that it knows another token. `stranger`: it proves nothing, as a program that is none of ours. */
type Standing = "known" | "other" | "stranger";

/** Notes that the server has answered to the token, so that it counts as known for a while. */
export function noteAnswer(): void {
  answeredAtMs = performance.now();
}

/** It does not answer, or a stream of it has broken off. */
export function noteLoss(): void {
  answeredAtMs = Number.NEGATIVE_INFINITY;
}

/** Counts a stream as long as it is open. @returns ends it; `isLost`: not by us */
export function holdServer(): (isLost: boolean) => void {
  streams += 1;
  return (isLost) => {
    streams -= 1;
    if (isLost) noteLoss();
    else noteAnswer();
  };
}

type Ask = (path: string, request: RequestInit) => Promise<Response>;

/** Whether it has just answered, or holds a stream: then it is there. */
export function hasJustAnswered(): boolean {
  return streams > 0 || performance.now() - answeredAtMs < KNOWN_MS;
}

/** Whether the token may be sent without asking who answers. */
export function isKnown(): boolean {
  const canAsk = LOOPBACK.test(window.location.hostname) && globalThis.crypto?.subtle !== undefined;
  return !canAsk || hasJustAnswered();
}

/** Who answers at the page's address. Rejects where nobody does. @param ask sends the request */
export function standingOf(token: string, ask: Ask): Promise<Standing> {
  if (isKnown()) return Promise.resolve("known");
  // What is asked for at once waits for one proof.
  asked ??= prove(token, ask).finally(() => {
    asked = null;
  });
  return asked;
}

async function prove(token: string, ask: Ask): Promise<Standing> {
  const challenge = randomHex(16);
  const answer = await ask("/api/health", { headers: { [CHALLENGE_HEADER]: challenge } });
  await answer.body?.cancel();
  const proof = answer.headers.get(PROOF_HEADER);
  if (proof === null) return "stranger";
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(token), algorithm, false, ["sign"]);
  const text = encoder.encode(provenText(challenge, window.location.host));
  if (toHex(new Uint8Array(await crypto.subtle.sign("HMAC", key, text))) !== proof) return "other";
  noteAnswer();
  return "known";
}
