import type { ContextShares } from "@/lib/wire/messages";

/** The parts of a request in the order they are sent, in words and in a neutral tone: colour means state here. */
export const SHARES: readonly { key: keyof ContextShares; label: string; fill: string }[] = [
  {
    key: "system",
    label: "system prompt",
    fill: "bg-[repeating-linear-gradient(135deg,var(--line-3)_0_2px,var(--raised)_2px_4px)]",
  },
  {
    key: "tools",
    label: "tools",
    fill: "bg-[repeating-linear-gradient(45deg,var(--line-3)_0_1px,var(--raised)_1px_4px)]",
  },
  {
    key: "memory",
    label: "memory",
    fill: "bg-[repeating-linear-gradient(90deg,var(--line-3)_0_2px,var(--bg)_2px_4px)]",
  },
  {
    key: "reminders",
    label: "reminders",
    fill: "bg-[repeating-linear-gradient(0deg,var(--line-3)_0_1px,var(--bg)_1px_3px)]",
  },
  { key: "files", label: "files", fill: "bg-line-2 shadow-[inset_0_0_0_1px_var(--line-3)]" },
  { key: "toolOutput", label: "tool output", fill: "bg-fg-3" },
  { key: "conversation", label: "conversation", fill: "bg-fg" },
];

/** The same tones for single messages: you solid, answers mid, results outlined, the client's own striped. */
export const KIND_FILLS = {
  you: "bg-fg",
  answer: "bg-fg-3",
  result: "bg-line-2 shadow-[inset_0_0_0_1px_var(--line-3)]",
  client: "bg-[repeating-linear-gradient(0deg,var(--line-3)_0_1px,var(--bg)_1px_3px)]",
  system: "bg-[repeating-linear-gradient(135deg,var(--line-3)_0_2px,var(--raised)_2px_4px)]",
} as const;
