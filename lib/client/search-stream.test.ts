import { expect, test } from "vitest";
import { takeEvents } from "./search-stream";

const STREAM = [
  ': hello\n\nevent: start\ndata: {"kind":"start","problems":[]}\n\n',
  'event: hits\r\ndata: {"kind":"hits","hits":[]}\r\n\r\n',
  'event: end\ndata: {"kind":"end","complete":true,\ndata: "progress":null}\n\n',
].join("");

test("events come whole, however the stream is cut", () => {
  for (let cut = 0; cut <= STREAM.length; cut++) {
    const first = takeEvents(STREAM.slice(0, cut));
    const second = takeEvents(first.left + STREAM.slice(cut));
    const kinds = [...first.events, ...second.events].map(({ kind }) => kind);
    // A stream that is cut between \r and \n of an empty line still ends the event once.
    expect(kinds, `cut at ${cut}`).toEqual(["start", "hits", "end"]);
    expect(second.left.trim()).toBe("");
  }
});
