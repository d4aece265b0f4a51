const PRINTED = new Map([
  ["Enter", "↵"],
  ["ArrowUp", "↑"],
  ["ArrowDown", "↓"],
  ["ArrowLeft", "←"],
  ["ArrowRight", "→"],
  ["Escape", "Esc"],
  [" ", "Space"],
]);

/** A key's name as this machine's keyboard has it: `mod+k` is `⌘K` on a Mac and `Ctrl K` elsewhere. */
export function printKey(name: string): string {
  if (name.startsWith("mod+")) {
    const letter = name.slice(4).toUpperCase();
    return /Mac|iPhone|iPad/.test(navigator.userAgent) ? `⌘${letter}` : `Ctrl ${letter}`;
  }
  return PRINTED.get(name) ?? name;
}
