import type { ReactNode } from "react";
import { isApple } from "@/lib/client/key-events";

/** A key as printed on the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block min-w-4 flex-none rounded-1 border border-line-2 bg-bg px-[3px] text-center font-sans text-[11px]/[14px] text-fg-2">
      {children}
    </kbd>
  );
}

const PRINTED = new Map([
  ["Enter", "↵"],
  ["ArrowUp", "↑"],
  ["ArrowDown", "↓"],
  ["ArrowLeft", "←"],
  ["ArrowRight", "→"],
  ["Escape", "Esc"],
  [" ", "Space"],
]);

/** A shortcut spelled for this machine's keyboard: `mod+k` is `⌘K` on a Mac and `Ctrl K` elsewhere, `shift+ArrowDown` is `⇧↓`. */
export function printKey(name: string): string {
  if (name.startsWith("mod+")) {
    const letter = name.slice(4).toUpperCase();
    return isApple() ? `⌘${letter}` : `Ctrl ${letter}`;
  }
  if (name.startsWith("shift+")) return `⇧${PRINTED.get(name.slice(6)) ?? name.slice(6)}`;
  return PRINTED.get(name) ?? name;
}
