// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Row } from "@/lib/wire/rows";
import { MoreText } from "./more-text";

const ROW = { recordId: "m~10", block: 0 } as Row;

it.each([
  ["the page", { inspect: () => undefined }, "Couldn’t load the rest. Open the inspector for the raw record"],
  ["an exported file, which has no inspector", {}, "Couldn’t load the rest"],
])("a rest that is not there is said to be missing, on %s", async (_, actions, said) => {
  const error = { code: "not-in-file", message: "This is not in the file." };
  vi.stubGlobal("fetch", async () => Response.json({ error }, { status: 404 }));
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", ...actions } as never}>
      <MoreText row={ROW} text={{ text: "The beginning", cut: true, length: 9_000 }}>
        {(text) => text}
      </MoreText>
    </ThreadContext.Provider>,
  );
  const button = () => document.querySelector("button");
  expect(button()?.textContent).toBe("Show 8,987 more characters");
  await act(async () => button()?.click());
  await act(() => vi.waitFor(() => expect(button()?.textContent).toBe(said)));
});

it("each text of a line is read to its own end, such as the results of two calls on it", async () => {
  const wholes = ["first, to its end", "second, to its end"];
  vi.stubGlobal("fetch", async () => Response.json({ content: wholes }));
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s" } as never}>
      {wholes.map((whole) => (
        <MoreText key={whole} row={ROW} text={{ text: whole.slice(0, 8), cut: true, length: whole.length }}>
          {(text) => <p>{text}</p>}
        </MoreText>
      ))}
    </ThreadContext.Provider>,
  );
  const told = () => Array.from(document.querySelectorAll("p"), ({ textContent }) => textContent);
  for (const nth of [0, 1]) {
    await act(async () => document.querySelector("button")?.click());
    await act(() => vi.waitFor(() => expect(told()[nth]).toBe(wholes[nth])));
  }
});
