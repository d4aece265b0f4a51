const LABELS: readonly [start: RegExp, label: string][] = [
  [/^<system-reminder>/, "Reminder"],
  [/^<ide_opened_file>/, "Open in the editor"],
  [/^<ide_selection>/, "Selected in the editor"],
  [/^<(?:ide_|new-)diagnostics>/, "Diagnostics of the editor"],
  [/^<local-command-caveat>/, "Note on what follows"],
  [/^<[a-z-]+-hook>/, "Said by a hook"],
  [/^Stop hook feedback:/, "Said by a hook"],
  [/^<tool_use_error>/, "Error of a tool"],
];

/** What a text that no person wrote is, by how it begins. */
export function contextLabel(text: string): string {
  const start = text.trimStart();
  return LABELS.find(([pattern]) => pattern.test(start))?.[1] ?? "Sent with the conversation";
}
