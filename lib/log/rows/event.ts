import type { EventRow } from "@/lib/wire/rows";

/** What an event row says. `event` is its kind in the client's word where it has one. */
export type Event = { event: string; level: EventRow["level"]; label: string; text: string };
