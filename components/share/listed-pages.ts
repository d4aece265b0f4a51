import { FileSearch, type LucideIcon, Stethoscope, TextCursorInput, Wallet } from "lucide-react";

/** A page that is offered wherever pages are: in the menu of every page, among the commands of the palette, by its keys. */
type ListedPage = { href: string; label: string; icon: LucideIcon; keys: readonly string[] };

/** Pages of one's own sessions besides the library and those that it links to, in the order in which they are offered. */
export const LISTED_PAGES: readonly ListedPage[] = [
  { href: "/usage", label: "Usage and cost", icon: Wallet, keys: ["u"] },
  { href: "/prompts", label: "Your prompts", icon: TextCursorInput, keys: [] },
  { href: "/files", label: "Sessions of a file", icon: FileSearch, keys: [] },
  { href: "/doctor", label: "Diagnostics", icon: Stethoscope, keys: [] },
];
