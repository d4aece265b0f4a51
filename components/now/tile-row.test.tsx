// @vitest-environment page
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Row } from "@/lib/wire/rows";
import { TileRow } from "./tile-row";

const cut = (text: string) => ({ text, chars: text.length });
const call = {
  kind: "tool",
  name: "Bash",
  server: null,
  aside: null,
  state: "ok",
  added: null,
  removed: null,
};

it.each([
  [
    "an interruption is called so",
    { kind: "event", level: "info", label: "Interrupted", text: cut("") },
    "Interrupted",
  ],
  [
    "an output has its name, and no codes of a terminal",
    { kind: "event", level: "info", label: "Output", text: cut("\u001b[2mCompacted\u001b[22m") },
    "Output Compacted",
  ],
  [
    "of what was added to the context only its name is shown",
    { kind: "context", label: "File hello.py", text: cut("def greet(name):") },
    "File hello.py",
  ],
  [
    "nor has a call any codes",
    {
      ...call,
      subject: "echo \u001b[31mred",
      result: "\u001b[31mred\u001b[0m",
      agent: null,
      durationMs: null,
    },
    "Bashecho red red",
  ],
])("in a line of a tile %s", async (_, row, said) => {
  await drawnPage().draw(<TileRow row={row as unknown as Row} />);
  expect(document.body.textContent?.trim()).toBe(said);
});
