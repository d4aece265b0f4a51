import { CallState } from "./kinds";

/** What a person's refusal reads, in all versions, and from 2.1.170 on what a running call reads that was stopped. */
const REFUSAL = "The user doesn't want to proceed with this tool use";

/** Beginnings of results that mean a person or a rule said no. All versions from 1.0.128. */
const DENIALS = [
  "The user doesn't want to take this action right now",
  "Claude requested permissions to",
  "This Bash command contains multiple operations. The following parts require approval",
  "User rejected tool use",
  "Permission to use",
];

/** The kind of a denial that a person's refusal and a stop have alike. */
const PERSON = "user-rejected";

/** Up to 2.1.42: what a command may not touch, whatever a person says. */
const BLOCKED = /^\S+ in '[^']*' was blocked\. For security, /;

/** What a result's line says of a denial: `toolDenialKind` (2.1.220), `toolDenialBeforeRun` (2.1.330). */
export type Denial = { kind: string | null; beforeRun: boolean };

/**
 * How a call ended, from its first result. `interrupted` is what the structured result says; where the
 * line has no field for denials, the wording decides.
 */
export function resultState(text: string, isError: boolean, interrupted: boolean, denial: Denial): number {
  // Without an error mark the words may be anything's: a file that was read, say.
  if (!isError) return interrupted ? CallState.stopped : CallState.ok;
  if (interrupted || text.includes("[Request interrupted by user")) return CallState.interrupted;
  if (text.startsWith(REFUSAL) && !denial.beforeRun && (denial.kind ?? PERSON) === PERSON)
    return CallState.refused;
  if (
    text.startsWith(REFUSAL) ||
    denial.kind !== null ||
    DENIALS.some((start) => text.startsWith(start)) ||
    BLOCKED.test(text)
  )
    return CallState.denied;
  // 1.0.128: the whole text; 2.1.330: behind "Exit code 143".
  if (/^(Exit code \d+\s+)?Command timed out after/.test(text)) return CallState.timedOut;
  return CallState.error;
}
