/** A server-sent event whose data is JSON. `id`: what to resume behind it with, where the server gives one. */
export type ReadEvent<Event> = { id: string | null; event: Event };

/** Puts server-sent events together from pieces of any size; a piece may end anywhere. Pings are none. */
export class EventReader<Event> {
  #rest = "";

  /** The events that end in this piece. Throws for data that is no JSON. */
  take(piece: string): ReadEvent<Event>[] {
    const parts = (this.#rest + piece).split(/\r?\n\r?\n/);
    this.#rest = parts.pop() ?? "";
    return parts.flatMap((part) => {
      const lines = part.split(/\r?\n/);
      const [id = null] = valuesOf("id", lines);
      const data = valuesOf("data", lines);
      return data.length > 0 ? [{ id, event: JSON.parse(data.join("\n")) as Event }] : [];
    });
  }
}

/** The values of a field, which one space may separate from its name. */
function valuesOf(name: string, lines: readonly string[]): string[] {
  const own = lines.filter((line) => line.startsWith(`${name}:`));
  return own.map((line) => line.slice(name.length + 1).replace(/^ /, ""));
}
