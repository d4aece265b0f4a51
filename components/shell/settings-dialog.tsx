"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { type SegmentChoice, Segmented } from "@/components/ui/field";
import { useIsGuest } from "@/lib/client/connection/token";
import {
  type ChoiceName,
  DEFAULT_PREFERENCES,
  type Preferences,
  resetPreferences,
  setPreferences,
  usePreferences,
  usualPreferences,
} from "@/lib/client/preferences";
import { formatPlural } from "@/lib/format/format";
import { ArchiveSetting } from "./archive-setting";
import { AssistantSetting } from "./assistant-setting";
import { EditorSetting } from "./editor-setting";
import { SettingSection } from "./setting-section";

/** Preferences of this browser, applied as they are chosen, and what is kept of the logs. */
export function SettingsDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const preferences = usePreferences();
  const names = Object.keys(DEFAULT_PREFERENCES) as (keyof Preferences)[];
  const isGuest = useIsGuest();
  const usual = usualPreferences();
  const changed = names.filter((name) => preferences[name] !== usual[name]).length;
  return (
    <Dialog
      title="Settings"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          <span className="flex-1">
            Saved in this browser only{isGuest ? "." : "; the archive’s rules in its folder."}
            {changed > 0 ? ` ${formatPlural(changed, "differs", "differ")} from the defaults.` : ""}
          </span>
          <Button disabled={changed === 0} onClick={resetPreferences}>
            Reset
          </Button>
        </>
      }
    >
      {SETTINGS.map(({ heading, settings }) => (
        <SettingSection key={heading} heading={heading}>
          {settings.map((setting) => (
            <SettingRow key={setting.name} setting={setting} value={preferences[setting.name]} />
          ))}
        </SettingSection>
      ))}
      {!isGuest && (
        <>
          <EditorSetting template={preferences.editor} />
          <AssistantSetting />
          <ArchiveSetting />
        </>
      )}
    </Dialog>
  );
}

function SettingRow({
  setting: { name, label, choices, hint },
  value,
}: {
  setting: Setting;
  value: Preferences[ChoiceName];
}) {
  const usual = choices.find((choice) => choice.value === usualPreferences()[name]);
  return (
    <div className="grid min-h-9 grid-cols-[168px_minmax(0,1fr)] items-center gap-x-4 border-b border-line px-4 last:border-b-0 max-sm:grid-cols-1 max-sm:gap-y-1 max-sm:py-2">
      <span>{label}</span>
      <span className="flex min-w-0 items-center gap-x-3 gap-y-1 max-sm:flex-wrap">
        <Segmented<Preferences[ChoiceName]>
          label={label}
          choices={choices}
          value={value}
          onChange={(next) => setPreferences({ [name]: next })}
        />
        <span className="min-w-0 py-1 text-12 text-fg-3 max-sm:py-0">
          {value === usual?.value ? hint : `was ${usual?.label}`}
        </span>
      </span>
    </div>
  );
}

/** A preference, what it may be, and a word of why. */
export type Setting<Name extends ChoiceName = ChoiceName> = {
  [One in Name]: {
    name: One;
    label: string;
    choices: readonly SegmentChoice<Preferences[One]>[];
    hint?: string;
  };
}[Name];

const TEXT_SIZES = [12, 13, 14, 16] as const;

/** Every preference in the order of the dialog, by heading. */
const SETTINGS: readonly { heading: string; settings: readonly Setting[] }[] = [
  {
    heading: "Look",
    settings: [
      {
        name: "theme",
        label: "Theme",
        choices: [
          { value: "system", label: "System" },
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
        ],
      },
      {
        name: "textPx",
        label: "Text size",
        choices: TEXT_SIZES.map((value) => ({ value, label: String(value) })),
        hint: "by the browser’s own size; rows scale with it",
      },
      {
        name: "rows",
        label: "Row height",
        choices: [
          { value: "dense", label: "Dense" },
          { value: "roomy", label: "Roomy" },
        ],
      },
      {
        name: "time",
        label: "Time",
        choices: [
          { value: "clock", label: "14:21" },
          { value: "ago", label: "38 m ago" },
        ],
        hint: "the other shows on hover",
      },
    ],
  },
  {
    heading: "Reading",
    settings: [
      {
        name: "detail",
        label: "Default detail",
        choices: [
          { value: "prompts", label: "Prompts" },
          { value: "conversation", label: "Conversation" },
          { value: "tools", label: "Tools" },
          { value: "everything", label: "Everything" },
        ],
      },
      {
        name: "foldRuns",
        label: "Runs of the same tool",
        choices: [
          { value: true, label: "Folded" },
          { value: false, label: "Expanded" },
        ],
        hint: "three or more successful calls in a row",
      },
      {
        name: "rowTimes",
        label: "Time of each row",
        choices: [
          { value: false, label: "Hide" },
          { value: true, label: "Show" },
        ],
        hint: "it also shows on hover, over how long a row took",
      },
      {
        name: "wrap",
        label: "Long lines",
        choices: [
          { value: false, label: "Scroll" },
          { value: true, label: "Wrap" },
        ],
      },
      {
        name: "diff",
        label: "Diffs",
        choices: [
          { value: "auto", label: "Auto" },
          { value: "unified", label: "Unified" },
          { value: "split", label: "Split" },
        ],
      },
      {
        name: "ignoreSpace",
        label: "Whitespace changes",
        choices: [
          { value: false, label: "Show" },
          { value: true, label: "Hide" },
        ],
      },
      {
        name: "follow",
        label: "Open running sessions at",
        choices: [
          { value: false, label: "Start" },
          { value: true, label: "End" },
        ],
        hint: "unless the link says otherwise",
      },
      {
        name: "singleKeys",
        label: "Single-key shortcuts",
        choices: [
          { value: true, label: "On" },
          { value: false, label: "Off" },
        ],
        hint: "? still lists all keys",
      },
    ],
  },
];
