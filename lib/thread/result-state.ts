import { CallState } from "./kinds";

/** Beginnings of results that mean a person or a rule said no. All versions from 1.0.128. */
const DENIALS = [
  "The user doesn't want to proceed with this tool use",
  "The user doesn't want to take this action right now",
  "Claude requested permissions to",
  "This Bash command contains multiple operations. The following parts require approval",
  "User rejected tool use",
  "Permission to use",
];

/** Up to 2.1.42: what a command may not touch, whatever a person says. */
const BLOCKED = /^\S+ in '[^']*' was blocked\. For security, /;

/**
 * How a call ended, from its first result. `interrupted` is what the structured result says; the
 * client has no field for denials before 2.1.330 (`toolDenialKind`), so the wording decides.
 */
export function resultState(
  text: string,
  isError: boolean,
  interrupted: boolean,
  denialKind: string | null,
): number {
  // Without an error mark the words may be anything's: a file that was read, say.
  if (!isError) return interrupted ? CallState.stopped : CallState.ok;
  if (interrupted || text.includes("[Request interrupted by user")) return CallState.interrupted;
  if (denialKind !== null || DENIALS.some((start) => text.startsWith(start)) || BLOCKED.test(text))
    return CallState.denied;
  // 1.0.128: the whole text; 2.1.330: behind "Exit code 143".
  if (/^(Exit code \d+\s+)?Command timed out after/.test(text)) return CallState.timedOut;
  return CallState.error;
}
