import type { Choice } from "@/components/ui/segmented";
import type { Preferences } from "@/lib/client/preferences";

/** A preference, what it may be, and a word of why. */
export type Setting<Name extends keyof Preferences = keyof Preferences> = {
  [One in Name]: {
    name: One;
    label: string;
    choices: readonly Choice<Preferences[One]>[];
    hint?: string;
  };
}[Name];

const TEXT_SIZES = [12, 13, 14, 16] as const;

/** Every preference in the order of the dialog, by heading. */
export const SETTINGS: readonly { heading: string; settings: readonly Setting[] }[] = [
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
        hint: "rows grow with it",
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
        hint: "the other one on hover",
      },
    ],
  },
  {
    heading: "Reading",
    settings: [
      {
        name: "detail",
        label: "Opens at",
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
          { value: false, label: "One by one" },
        ],
        hint: "three or more that went well",
      },
      {
        name: "wrap",
        label: "Wrap code and output",
        choices: [
          { value: false, label: "Cut" },
          { value: true, label: "Wrap" },
        ],
      },
      {
        name: "diff",
        label: "Diffs",
        choices: [
          { value: "auto", label: "By width" },
          { value: "unified", label: "Unified" },
          { value: "split", label: "Split" },
        ],
      },
      {
        name: "ignoreSpace",
        label: "Changes in spaces",
        choices: [
          { value: false, label: "Shown" },
          { value: true, label: "Left out" },
        ],
      },
      {
        name: "follow",
        label: "A running session",
        choices: [
          { value: false, label: "From its start" },
          { value: true, label: "From its end" },
        ],
        hint: "when its link does not say",
      },
      {
        name: "singleKeys",
        label: "One-letter keys",
        choices: [
          { value: true, label: "On" },
          { value: false, label: "Off" },
        ],
        hint: "? always lists them",
      },
    ],
  },
];
