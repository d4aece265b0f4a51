import { clsx } from "clsx";
import { type PromptPart, splitPastes, textStart } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { TurnRow } from "@/lib/wire/rows";

type Settings = TurnRow["settings"];

/** A Map, since modes come from logs: `constructor` is one like any other. */
const PERMISSION_MODES: ReadonlyMap<string, string> = new Map([
  ["plan", "plan mode"],
  ["acceptEdits", "accepts edits"],
  ["bypassPermissions", "bypasses permissions"],
  ["dontAsk", "never asks"],
  ["auto", "auto mode"],
  ["default", "asks first"],
]);

/** A permission mode of the client, close to the wording of its own screen; one that is not known as it is logged. */
export function wordsOfMode(mode: string): string {
  return PERMISSION_MODES.get(mode) ?? mode;
}

/**
 * The permission mode of a prompt. The other settings recorded with it are in the tooltip, and below the opened row.
 */
export function PromptMode({ settings, className }: { settings: Settings; className: string }) {
  const all = formatSettings(settings);
  const mode = settings.permissions;
  if (all.length === 0) return null;
  const shown = mode === undefined ? (settings.thinking ? "thinking" : null) : wordsOfMode(mode);
  return (
    shown && (
      <span
        className={clsx("text-fg-3", className)}
        title={labelHidden(all.map(([name, value]) => `${name}: ${value}`).join("\n"))}
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
    <dl className="flex flex-wrap gap-x-4 pt-1.5 pr-3 text-12 text-fg-2">
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
    name === "permissions" ? wordsOfMode(value) : value,
  ]);
}

/** A longer first line is set in normal weight: a paragraph in bold is hard to read. */
const MAX_BOLD_CHARACTERS = 240;
/** A longer one is a text, not a heading, and stands below. */
const MAX_HEADER_CHARACTERS = 600;

/** Markdown that begins a block: without its first line, the rest would not read as it was written. */
const BLOCK_START = /^(?:```|~~~|\||>|[-*+]\s|\d{1,3}[.)]\s)/;

/**
 * A prompt as a turn shows it. `line` names it where there is room for one line; `rest` stands below the header.
 * `isHeading`: the header shows the line, wrapped, and the rest goes on after it; else the rest is the whole prompt.
 */
export type ShownPrompt = { line: string; isHeading: boolean; isBold: boolean; rest: PromptPart[] };

/** Splits a prompt after its first line, so that nothing stands twice. A pasted part is never the heading's text. */
export function splitPrompt(prompt: string, isCut = false): ShownPrompt {
  const parts = splitPastes(prompt);
  const first = parts.find(({ pasted }) => !pasted) ?? parts[0];
  if (!first) return { line: "", isHeading: true, isBold: true, rest: [] };
  const text = first.text.trim();
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end).trimEnd();
  const isBold = line.length <= MAX_BOLD_CHARACTERS;
  // The paste is shown in full below, folded.
  if (first.pasted) return { line: textStart(line, 300), isHeading: true, isBold, rest: parts };
  const isHeading =
    line.length <= MAX_HEADER_CHARACTERS && !(end === -1 && isCut) && !(end !== -1 && BLOCK_START.test(line));
  const left = !isHeading ? text : end === -1 ? "" : text.slice(end + 1).trim();
  const rest = parts
    .map((part) => (part === first ? { pasted: false, text: left } : part))
    .filter((part) => part.text !== "");
  return { line: textStart(line, MAX_HEADER_CHARACTERS), isHeading, isBold, rest };
}
