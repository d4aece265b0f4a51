import type { Access } from "@/lib/wire/shares";
import { useIsGuest } from "./token";
import { useHealth } from "./use-health";

/** What was shared with this tab: one session, until when, and whether with its secrets replaced. */
export type Shared = Extract<Access, { kind: "share" }>;

/** What was shared with this tab; `null` for the owner, and for a guest until the server has said it. */
export function useShared(): Shared | null {
  const isGuest = useIsGuest();
  const access = useHealth().data?.access;
  return isGuest && access?.kind === "share" ? access : null;
}
