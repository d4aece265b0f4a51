"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  setPreferences,
  usePreferences,
} from "@/lib/client/preferences";
import { formatPlural } from "@/lib/format/format-count";
import { SETTINGS, type Setting } from "./settings-table";

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
      {SETTINGS.map(({ heading, settings }) => (
        <section key={heading} aria-label={heading}>
          <h3 className="border-b border-line bg-panel px-4 text-[11px]/[24px] font-semibold text-fg-2">
            {heading}
          </h3>
          {settings.map((setting) => (
            <SettingRow key={setting.name} setting={setting} value={preferences[setting.name]} />
          ))}
        </section>
      ))}
    </Dialog>
  );
}

function SettingRow({
  setting: { name, label, choices, hint },
  value,
}: {
  setting: Setting;
  value: Preferences[keyof Preferences];
}) {
  const usual = choices.find((choice) => choice.value === DEFAULT_PREFERENCES[name]);
  return (
    <div className="grid min-h-9 grid-cols-[168px_minmax(0,1fr)] items-center gap-x-4 border-b border-line px-4 last:border-b-0 max-sm:grid-cols-1 max-sm:gap-y-1 max-sm:py-2">
      <span>{label}</span>
      <span className="flex min-w-0 items-center gap-3">
        <Segmented<Preferences[keyof Preferences]>
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
