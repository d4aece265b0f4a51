import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventReader } from "./live-event-reader";

const STREAM =
  'event: hello\ndata: {"kind":"hello"}\n\n: ping\n\nid: e:12.0\nevent: rows\ndata: {"kind":"rows","rows":["\\n\\n"]}\n\n';

describe("events from pieces", () => {
  it("are the same for any cut", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), (cuts) => {
        const reader = new EventReader();
        const places = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
        const events = places.slice(1).flatMap((to, at) => reader.take(STREAM.slice(places[at], to)));
        expect(events).toEqual([
          { id: null, event: { kind: "hello" } },
          { id: "e:12.0", event: { kind: "rows", rows: ["\n\n"] } },
        ]);
      }),
    );
  });
});
