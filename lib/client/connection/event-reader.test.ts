import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventReader } from "./event-reader";

const STREAM = [
  'event: hello\ndata: {"kind":"hello"}\n\n: ping\n\n',
  'id: e:12.0\r\nevent: rows\r\ndata: {"kind":"rows","rows":["\\n\\n"]}\r\n\r\n',
  'event: end\ndata:{"kind":"end",\ndata: "complete":true}\n\n',
].join("");

const EVENTS = [
  { id: null, event: { kind: "hello" } },
  { id: "e:12.0", event: { kind: "rows", rows: ["\n\n"] } },
  { id: null, event: { kind: "end", complete: true } },
];

describe("events from pieces", () => {
  it("are the same for any cut", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), (cuts) => {
        const reader = new EventReader<unknown>();
        const places = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
        const events = places.slice(1).flatMap((to, at) => reader.take(STREAM.slice(places[at], to)));
        expect(events).toEqual(EVENTS);
      }),
    );
  });

  it("end once, also where a piece ends between the two halves of a line's end", () => {
    for (let cut = 0; cut <= STREAM.length; cut++) {
      const reader = new EventReader<unknown>();
      const events = [...reader.take(STREAM.slice(0, cut)), ...reader.take(STREAM.slice(cut))];
      expect(events, `cut at ${cut}`).toEqual(EVENTS);
    }
  });
});
