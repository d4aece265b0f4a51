// @vitest-environment page

import { act } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeWorkersWith, useHighlight } from "./highlight";
import { HIGHLIGHT_LIMITS, type HighlightReply, type HighlightRequest, packSpans } from "./highlight-job";

/** Answers when it is told to. */
class HeldWorker {
  onmessage: ((event: { data: HighlightReply }) => void) | null = null;
  onerror = null;
  readonly asked: HighlightRequest[] = [];
  isEnded = false;
  postMessage(request: HighlightRequest): void {
    this.asked.push(request);
    this.onmessage?.({ data: { id: request.id, kind: "started" } });
  }
  terminate(): void {
    this.isEnded = true;
  }
  done(): void {
    const id = this.asked.at(-1)?.id ?? 0;
    this.onmessage?.({ data: { id, kind: "done", spans: packSpans([[3, 1]]) } });
  }
}

/** Lets time pass, and draws what it brought. */
const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));

function Colours({ code }: { code: string }) {
  const lines = useHighlight(code, "javascript");
  return <p>{lines.length === 0 ? "plain" : "coloured"}</p>;
}

test("a language is given the time that it takes to begin on a busy machine; once it has, a hang is ended soon", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const workers: HeldWorker[] = [];
  makeWorkersWith(() => {
    workers.push(new HeldWorker());
    return workers.at(-1) as unknown as Worker;
  });
  const page = drawnPage();
  const text = () => document.body.textContent;
  await page.draw(<Colours code="let first" />);
  await pass(HIGHLIGHT_LIMITS.killMs * 2);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([false]);
  expect(text()).toBe("plain");
  await act(async () => workers[0]?.done());
  expect(text()).toBe("coloured");
  await page.draw(<Colours code="let second" />);
  await pass(HIGHLIGHT_LIMITS.killMs);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true]);
  // What comes after it is of a worker that begins anew.
  await page.draw(<Colours code="let third" />);
  await pass(HIGHLIGHT_LIMITS.killMs * 2);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  await pass(HIGHLIGHT_LIMITS.beginningMs);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});
