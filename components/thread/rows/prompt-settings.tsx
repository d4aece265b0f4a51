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
