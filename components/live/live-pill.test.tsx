// @vitest-environment page
import { act } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { noteLastHeard } from "@/lib/client/connection/last-known";
import { LiveStatusStore, type LiveStream } from "@/lib/client/connection/live-stream";
import { setToken } from "@/lib/client/connection/token";
import { setLiveState } from "@/lib/client/live-states";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import { LiveBar, LivePill } from "./live-pill";

it.each([
  ["0123456789abcdef", "Waiting for you"],
  ["share~0123456789abcdef", "Waiting for the user"],
])("a session waits for its user, whom a guest is not (%s)", async (token, word) => {
  setToken(token);
  const sessionId = "s" as SessionId;
  const page = drawnPage();
  await page.draw(<LivePill sessionId={sessionId} />);
  const state = { sessionId, state: "waiting", sinceMs: 1, doing: null, gone: false, checked: true } as const;
  await act(async () =>
    setLiveState({
      ...state,
      pid: null,
      lastLineAtMs: null,
      lastText: null,
      contextTokens: null,
      contextLimit: null,
    }),
  );
  expect(document.body.textContent).toContain(word);
});

it("says of which moment a state is that cannot be known any more", async () => {
  vi.useFakeTimers({
    now: Date.parse("2026-01-01T10:00:00Z"),
    toFake: ["Date", "setInterval", "clearInterval"],
  });
  onTestFinished(() => void vi.useRealTimers());
  setToken("0123456789abcdef");
  const sessionId = "of-before" as SessionId;
  await drawnPage().draw(<LivePill sessionId={sessionId} />);
  const doing = { kind: "thinking", name: null, subject: null, sinceMs: Date.now() - 90_000 } as const;
  await act(async () =>
    setLiveState({
      ...{ sessionId, state: "running", sinceMs: 1, doing, gone: false, checked: true },
      ...{ pid: null, lastLineAtMs: null, lastText: null, contextTokens: null, contextLimit: null },
    } as Parameters<typeof setLiveState>[0]),
  );
  expect(document.body.textContent).toBe("Thinking1 m 30 s");
  const stream = {};
  await act(async () => noteLastHeard(stream, Date.now() - 60_000));
  expect(document.body.textContent).toBe("Thinking1 m 30 s");
  await until(() => expect(document.body.textContent).toMatch(/^Thinking30 sas of \d+:59:00/));
  await act(async () => noteLastHeard(stream, null));
  expect(document.body.textContent).toBe("Thinking1 m 30 s");
});

it("a broken connection is announced once, not with every second until the next attempt", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const status = new LiveStatusStore();
  status.set({ kind: "live" });
  await drawnPage().draw(<LiveBar stream={{ status } as LiveStream} />);
  await act(async () => status.set({ kind: "stale", nextTryAtMs: Date.now() + 9_000 }));
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  const bar = document.querySelector('[role="status"]');
  const seen = bar?.textContent;
  const read = () => {
    const copy = bar?.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll("[aria-hidden]")) hidden.remove();
    return copy.textContent;
  };
  const first = read();
  expect(first).toContain("Disconnected since");
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(bar?.textContent).not.toBe(seen);
  expect(read()).toBe(first);
});
