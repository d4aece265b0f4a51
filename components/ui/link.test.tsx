// @vitest-environment page
import { act } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { noteLoss } from "@/lib/client/connection/known-server";
import { onLost } from "@/lib/client/connection/when-there";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { PlainLink } from "./link";

it("keeps the page where there is no server to open another, says so, and opens it when there is", async () => {
  let isDown = true;
  vi.stubGlobal("fetch", async () => {
    if (isDown) throw new TypeError("no answer");
    return new Response(null, { status: 401 });
  });
  const told: string[] = [];
  onLost((text) => told.push(text));
  const opened: boolean[] = [];
  const follow = (event: Event) => {
    opened.push(!event.defaultPrevented);
    event.preventDefault();
  };
  document.addEventListener("click", follow);
  onTestFinished(() => document.removeEventListener("click", follow));
  const page = drawnPage();
  const onClick = vi.fn();
  await page.draw(
    <PlainLink href="/usage" onClick={onClick}>
      Usage
    </PlainLink>,
  );
  const click = () => act(async () => document.querySelector("a")?.click());
  noteLoss();
  await click();
  await until(() => expect(told).toEqual([expect.stringContaining("Backscroll does not answer.")]));
  expect(opened).toEqual([false]);
  isDown = false;
  await click();
  await until(() => expect(opened).toEqual([false, false, true]));
  expect(onClick).toHaveBeenCalledTimes(2);
  // It has just answered.
  await click();
  expect(opened).toEqual([false, false, true, true]);
  expect(told).toHaveLength(1);
});
