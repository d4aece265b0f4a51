import { type PromptPart, splitPastes } from "@/lib/format/text";
import type { TurnRow } from "@/lib/wire/rows";

type Settings = TurnRow["settings"];

/** Labels for the client's permission modes, close to the wording of its own screen. */
const MODES: Record<string, string> = {
  plan: "plan mode",
  acceptEdits: "accepts edits",
  bypassPermissions: "bypasses permissions",
  dontAsk: "never asks",
  auto: "auto mode",
  default: "asks first",
};

/**
 * The permission mode of a prompt. The other settings recorded with it are in the tooltip, and below the opened row.
 */
export function PromptMode({ settings }: { settings: Settings }) {
  const all = formatSettings(settings);
  const mode = settings.permissions;
  if (all.length === 0) return null;
  const shown = mode === undefined ? (settings.thinking ? "thinking" : null) : (MODES[mode] ?? mode);
  return (
    shown && (
      <span
        className="text-fg-3 @max-[880px]/thread:hidden"
        title={all.map(([name, value]) => `${name}: ${value}`).join("\n")}
      >
        {shown}
      </span>
    )
  );
}

/** All settings that the client recorded with a prompt, in one line. */
export function PromptSettings({ settings }: { settings: Settings }) {
  const all = formatSettings(settings);
  if (all.length === 0) return null;
  return (
    <dl className="flex flex-wrap gap-x-4 px-3 py-1 text-12 text-fg-2">
      {all.map(([name, value]) => (
        <div key={name} className="flex gap-1">
          <dt className="text-fg-3">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function formatSettings(settings: Settings): [string, string][] {
  return Object.entries(settings).map(([name, value]) => [
    name,
    name === "permissions" ? (MODES[value] ?? value) : value,
  ]);
}

/** Characters beyond which a prompt doesn't fit the header's line, even on a wide screen. */
const MAX_HEADER_CHARACTERS = 110;

/**
 * Splits a prompt into a line for the turn header and the rest to show below. A long first line is repeated in full
 * below, because a sentence split between the two is hard to read. A prompt with a paste gets its line from the typed
 * text.
 */
export function splitPrompt(prompt: string): { line: string; rest: PromptPart[] } {
  const parts = splitPastes(prompt);
  const first = parts.find(({ pasted }) => !pasted) ?? parts[0];
  if (!first) return { line: "", rest: [] };
  const text = first.text.trim();
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end).trimEnd();
  // The paste is shown in full below, folded.
  if (first.pasted) return { line: line.slice(0, 300), rest: parts };
  const isLong = line.length > MAX_HEADER_CHARACTERS;
  const left = isLong ? text : end === -1 ? "" : text.slice(end + 1).trim();
  const rest = parts
    .map((part) => (part === first ? { pasted: false, text: left } : part))
    .filter((part) => part.text !== "");
  return { line: isLong ? line.slice(0, 300) : line, rest };
}
