import { type PromptPart, splitPastes } from "@/lib/format/text";
import type { TurnRow } from "@/lib/wire/rows";

type Settings = TurnRow["settings"];

/** How the client names a permission mode, and how its own screen does. */
const MODES: Record<string, string> = {
  plan: "plan mode",
  acceptEdits: "accepts edits",
  bypassPermissions: "bypasses permissions",
  dontAsk: "never asks",
  auto: "auto mode",
  default: "asks first",
};

/** The mode that a prompt was sent in; the rest of what was recorded with it is in the tooltip, and below when opened. */
export function PromptMode({ settings }: { settings: Settings }) {
  const all = settingWords(settings);
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

/** All that the client recorded with a prompt, in a line. */
export function PromptSettings({ settings }: { settings: Settings }) {
  const all = settingWords(settings);
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

function settingWords(settings: Settings): [string, string][] {
  return Object.entries(settings).map(([name, value]) => [
    name,
    name === "permissions" ? (MODES[value] ?? value) : value,
  ]);
}

/** More than fits the header's line on a wide screen, in characters. */
const HEADER_CHARACTERS = 110;

/**
 * A prompt's line for the turn header, and what is left to show below it. A long first line is shown again,
 * whole, below: a sentence cut in two places is hard to read. What was pasted is named by what was typed with it.
 */
export function splitPrompt(prompt: string): { line: string; rest: PromptPart[] } {
  const parts = splitPastes(prompt);
  const first = parts.find(({ pasted }) => !pasted) ?? parts[0];
  if (!first) return { line: "", rest: [] };
  const text = first.text.trim();
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end).trimEnd();
  // A paste is folded below, and whole there.
  if (first.pasted) return { line: line.slice(0, 300), rest: parts };
  const isLong = line.length > HEADER_CHARACTERS;
  const left = isLong ? text : end === -1 ? "" : text.slice(end + 1).trim();
  const rest = parts
    .map((part) => (part === first ? { pasted: false, text: left } : part))
    .filter((part) => part.text !== "");
  return { line: isLong ? line.slice(0, 300) : line, rest };
}
