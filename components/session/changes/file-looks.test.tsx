// @vitest-environment page
import { act } from "react";
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useFileLooks } from "./changes-place";

/** A file that a click closes or opens, after how it is looked at. */
function File({ list }: { list: string }) {
  const [looks, setLook] = useFileLooks(list);
  const look = looks.get("till.ts");
  return (
    <button type="button" onClick={() => setLook("till.ts", { open: look?.open === false, net: false })}>
      {look?.open === false ? "closed" : "open"}
    </button>
  );
}

it("a file that was closed among a turn's changes is so among all, and when one comes back to those", async () => {
  const page = drawnPage();
  const shown = () => document.body.textContent;
  const click = () => act(async () => document.querySelector("button")?.click());
  await page.draw(<File list="turn 3" />);
  await click();
  await page.draw(<File list="whole" />);
  expect(shown()).toBe("closed");
  page.leave();
  await page.draw(<File list="whole" />);
  expect(shown()).toBe("closed");
  await click();
  page.leave();
  await page.draw(<File list="whole" />);
  expect(shown()).toBe("open");
});
