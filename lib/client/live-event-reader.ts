import type { LiveEvent } from "@/lib/wire/live";

export type ReadEvent = { id: string | null; event: LiveEvent };

/** Puts server-sent events together from pieces of any size; a piece may end anywhere. Pings are none. */
export class EventReader {
  private rest = "";

  take(piece: string): ReadEvent[] {
    const parts = (this.rest + piece).split("\n\n");
    this.rest = parts.pop() ?? "";
    return parts.flatMap((part) => {
      const lines = part.split("\n");
      const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
      const id = lines.find((line) => line.startsWith("id: "))?.slice(4) ?? null;
      return data.length > 0 ? [{ id, event: JSON.parse(data.join("\n")) as LiveEvent }] : [];
    });
  }
}
