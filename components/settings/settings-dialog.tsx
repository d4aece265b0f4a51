"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { type Choice, Segmented } from "@/components/ui/segmented";
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  setPreferences,
  usePreferences,
} from "@/lib/client/preferences";
import { formatPlural } from "@/lib/text/format-count";

type Setting<Name extends keyof Preferences> = {
  name: Name;
  label: string;
  choices: readonly Choice<Preferences[Name]>[];
  hint?: ReactNode;
};

const THEME: Setting<"theme"> = {
  name: "theme",
  label: "Theme",
  choices: [
    { value: "system", label: "System" },
    { value: "light", label: "Light" },
    { value: "dark", label: "Dark" },
  ],
};
const TEXT: Setting<"textPx"> = {
  name: "textPx",
  label: "Text size",
  choices: ([12, 13, 14, 16] as const).map((value) => ({ value, label: String(value) })),
  hint: "rows grow with it",
};
const ROWS: Setting<"rows"> = {
  name: "rows",
  label: "Row height",
  choices: [
    { value: "dense", label: "Dense" },
    { value: "roomy", label: "Roomy" },
  ],
};
const DETAIL: Setting<"detail"> = {
  name: "detail",
  label: "Opens at",
  choices: [
    { value: "prompts", label: "Prompts" },
    { value: "conversation", label: "Conversation" },
    { value: "tools", label: "Tools" },
    { value: "everything", label: "Everything" },
  ],
};
const TIME: Setting<"time"> = {
  name: "time",
  label: "Time",
  choices: [
    { value: "clock", label: "14:21" },
    { value: "ago", label: "38 m ago" },
  ],
  hint: "the other one on hover",
};
const WRAP: Setting<"wrap"> = {
  name: "wrap",
  label: "Wrap code and output",
  choices: [
    { value: false, label: "Cut" },
    { value: true, label: "Wrap" },
  ],
};
const DIFF: Setting<"diff"> = {
  name: "diff",
  label: "Diffs",
  choices: [
    { value: "auto", label: "By width" },
    { value: "unified", label: "Unified" },
    { value: "split", label: "Split" },
  ],
};
const SPACE: Setting<"ignoreSpace"> = {
  name: "ignoreSpace",
  label: "Changes in spaces",
  choices: [
    { value: false, label: "Shown" },
    { value: true, label: "Left out" },
  ],
};
const FOLLOW: Setting<"follow"> = {
  name: "follow",
  label: "A running session",
  choices: [
    { value: false, label: "From its start" },
    { value: true, label: "From its end" },
  ],
  hint: "when its link does not say",
};
const KEYS: Setting<"singleKeys"> = {
  name: "singleKeys",
  label: "One-letter keys",
  choices: [
    { value: true, label: "On" },
    { value: false, label: "Off" },
  ],
  hint: "? always lists them",
};

function SettingRow<Name extends keyof Preferences>({
  setting: { name, label, choices, hint },
  value,
}: {
  setting: Setting<Name>;
  value: Preferences[Name];
}) {
  const usual = choices.find((choice) => choice.value === DEFAULT_PREFERENCES[name]);
  return (
    <div className="grid min-h-9 grid-cols-[168px_minmax(0,1fr)] items-center gap-x-4 border-b border-line px-4 last:border-b-0 max-sm:grid-cols-1 max-sm:gap-y-1 max-sm:py-2">
      <span>{label}</span>
      <span className="flex min-w-0 items-center gap-3">
        <Segmented
          label={label}
          choices={choices}
          value={value}
          onChange={(next) => setPreferences({ [name]: next })}
        />
        <span className="min-w-0 truncate text-12 text-fg-3">
          {value === usual?.value ? hint : `was ${usual?.label}`}
        </span>
      </span>
    </div>
  );
}

/** Preferences of this browser, applied as they are chosen. */
export function SettingsDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const preferences = usePreferences();
  const names = Object.keys(DEFAULT_PREFERENCES) as (keyof Preferences)[];
  const changed = names.filter((name) => preferences[name] !== DEFAULT_PREFERENCES[name]).length;
  return (
    <Dialog
      title="Settings"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          <span className="flex-1">
            Kept in this browser only.
            {changed > 0 ? ` ${formatPlural(changed, "differs", "differ")} from the defaults.` : ""}
          </span>
          <Button disabled={changed === 0} onClick={() => setPreferences(DEFAULT_PREFERENCES)}>
            Reset
          </Button>
        </>
      }
    >
      <h3 className="border-b border-line bg-panel px-4 text-[11px]/[24px] font-semibold text-fg-2">
        Reading
      </h3>
      <SettingRow setting={THEME} value={preferences.theme} />
      <SettingRow setting={TEXT} value={preferences.textPx} />
      <SettingRow setting={ROWS} value={preferences.rows} />
      <SettingRow setting={DETAIL} value={preferences.detail} />
      <SettingRow setting={TIME} value={preferences.time} />
      <SettingRow setting={WRAP} value={preferences.wrap} />
      <SettingRow setting={DIFF} value={preferences.diff} />
      <SettingRow setting={SPACE} value={preferences.ignoreSpace} />
      <SettingRow setting={FOLLOW} value={preferences.follow} />
      <SettingRow setting={KEYS} value={preferences.singleKeys} />
    </Dialog>
  );
}
