import type { Preferences } from "./preferences";

/** What `--u` and `--roomy` in globals.css are, for code that has to know heights before they are drawn. */
export function measuresOf(preferences: Pick<Preferences, "textPx" | "rows">): {
  unit: number;
  roomyPx: number;
} {
  const unit = { 12: 0.923, 13: 1, 14: 1.077, 16: 1.231 }[preferences.textPx];
  return { unit, roomyPx: preferences.rows === "roomy" ? 6 : 0 };
}
