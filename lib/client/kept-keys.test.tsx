// @vitest-environment page
import { act, useState } from "react";
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useKeptKeys, useKeys } from "./key-registry";

/** A list with its own keys: what is pressed second acts on what the first press has changed. */
function Lines() {
  const [at, setAt] = useState(0);
  const [opened, setOpened] = useState("");
  useKeys([
    { keys: ["j"], label: "next", group: "Move", run: () => setAt(at + 1) },
    { keys: ["o"], label: "open", group: "Open and read", run: () => setOpened(`${opened}${at}`) },
  ]);
  return <output>{`at ${at}, opened ${opened || "none"}`}</output>;
}

function Page({ part, isThere }: { part: string | null; isThere: boolean }) {
  const [marks, setMarks] = useState(0);
  useKeys([{ keys: ["m"], label: "mark", group: "Mark and organise", run: () => setMarks(marks + 1) }]);
  useKeptKeys(part, isThere);
  return (
    <>
      <input />
      <i>{marks}</i>
      {isThere && <Lines key={part} />}
    </>
  );
}

const press = (...keys: string[]) =>
  act(async () => {
    for (const key of keys)
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent("keydown", { key, bubbles: true }),
      );
  });
const shown = () => document.querySelector("output")?.textContent;

it("what is pressed before a part is there is done when it is, in that order and once", async () => {
  const page = drawnPage();
  await page.draw(<Page part="lines" isThere={false} />);
  await press("j", "m", "j", "o");
  expect(document.querySelector("i")?.textContent).toBe("1");
  await page.draw(<Page part="lines" isThere />);
  expect(shown()).toBe("at 2, opened 2");
  expect(document.querySelector("i")?.textContent).toBe("1");
  await press("j");
  expect(shown()).toBe("at 3, opened 2");
});

it("such a press is forgotten where the part did not come, or another one is wanted, and what is typed in a field is none", async () => {
  const page = drawnPage();
  await page.draw(<Page part="lines" isThere={false} />);
  await press("j");
  await page.draw(<Page part={null} isThere={false} />);
  await press("j");
  await page.draw(<Page part="lines" isThere={false} />);
  await press("j");
  await page.draw(<Page part="others" isThere={false} />);
  document.querySelector("input")?.focus();
  await press("j");
  await page.draw(<Page part="others" isThere />);
  expect(shown()).toBe("at 0, opened none");
});
