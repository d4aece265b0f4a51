// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveState } from "@/lib/wire/live";
import { setNotifyRules, useFired, useNotifyRules, useTelling } from "./notify";
import { hasRules } from "./notify-rules";

const streams: { send: (event: LiveEvent) => void; end: () => void }[] = [];
const shown: string[] = [];

let page: DrawnPage;

// Where a proxy shows more than one Backscroll.
document.documentElement.dataset.basePath = "/logs";

beforeEach(async () => {
  isRefused = false;
  streams.length = 0;
  shown.length = 0;
  localStorage.clear();
  page = drawnPage();
  vi.stubGlobal("fetch", async (_: string, { signal }: RequestInit) => {
    const start = (body: ReadableStreamDefaultController<Uint8Array>) => {
      const send = (event: LiveEvent) =>
        body.enqueue(new TextEncoder().encode(`id: l1:1\ndata: ${JSON.stringify(event)}\n\n`));
      streams.push({ send, end: () => body.close() });
      signal?.addEventListener("abort", () => body.error(new DOMException("", "AbortError")));
    };
    return new Response(new ReadableStream({ start }));
  });
  vi.stubGlobal("Notification", ToldNotification);
  const request = (_name: string, _how: object, then: () => Promise<void>) => then();
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  await setNotifyRules({ waits: true, ends: true });
  await page.draw(<Teller />);
  await connected(1, [stateOf("running", 1)]);
});

/** As Chrome on Android has it. */
let isRefused = false;

class ToldNotification {
  static permission = "granted";
  constructor(_title: string, { tag }: NotificationOptions) {
    if (isRefused) throw new TypeError("Illegal constructor");
    // One with the tag of an earlier one replaces it silently.
    if (!shown.includes(`${tag}`)) shown.push(`${tag}`);
  }
}

function Teller() {
  useTelling(true);
  return (
    <p>
      {useFired()
        .map(({ why }) => why)
        .join(", ")}
    </p>
  );
}

function stateOf(state: LiveState["state"], sinceMs: number): LiveState {
  return {
    ...{ sessionId: "a" as SessionId, state, sinceMs, doing: null, pid: 1, gone: false, checked: true },
    ...{ lastLineAtMs: 1, lastText: null, contextTokens: null, contextLimit: null },
  };
}

async function tell(event: LiveEvent): Promise<void> {
  await act(async () => streams.at(-1)?.send(event));
  await page.settle();
}

const tellState = (...[state, sinceMs]: Parameters<typeof stateOf>) =>
  tell({ kind: "state", state: stateOf(state, sinceMs), title: "The shop" });

async function connected(count: number, states: LiveState[]): Promise<void> {
  await act(() => vi.waitFor(() => expect(streams).toHaveLength(count)));
  await tell({ kind: "hello", resumed: count > 1, server: "one", states, titles: { a: "The shop" } });
}

it("notifies each time that a session waits for its person, even a moment after the last time", async () => {
  await tellState("waiting", 5);
  await tellState("running", 6);
  await tellState("waiting", 9);
  expect(document.body.textContent).toBe("Waiting for you, Waiting for you");
  expect(shown).toHaveLength(2);
});

it("notifies once about events that a reconnected stream repeats", async () => {
  await act(async () => streams.at(-1)?.end());
  await act(async () => void window.dispatchEvent(new Event("online")));
  // It has finished, and goes on from there with what was missed.
  await connected(2, []);
  await tellState("running", 6);
  await tellState("idle", 9);
  expect(document.body.textContent).toBe("Finished");
  expect(shown).toHaveLength(1);
});

it("lists no notifications of another Backscroll of the same host: its sessions are not here", async () => {
  const told = { key: "waits 1", sessionId: "b", title: "The farm", why: "Asks for permission", atMs: 1 };
  localStorage.setItem("backscroll.notified", JSON.stringify([told]));
  await tellState("waiting", 5);
  expect(document.body.textContent).toBe("Waiting for you");
});

it("lists events for which a browser on a phone shows no notification, and continues", async () => {
  isRefused = true;
  await tellState("waiting", 5);
  await tellState("running", 6);
  await tellState("waiting", 9);
  expect(document.body.textContent).toBe("Waiting for you, Waiting for you");
  expect(streams).toHaveLength(1);
});

it("notifies without a lock where the browser refuses one, as it does storage", async () => {
  await act(() => setNotifyRules({ waits: false, ends: false }));
  const refusal = new DOMException("request() is not allowed in this context", "SecurityError");
  const request = async () => Promise.reject(refusal);
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  await act(() => setNotifyRules({ waits: true }));
  await connected(2, [stateOf("running", 1)]);
  await tellState("waiting", 5);
  expect(document.body.textContent).toBe("Waiting for you");
});

it("asks the browser for no permission while there are no rules, since the page would wait for the answer", async () => {
  const asked = vi.fn(() => "granted");
  vi.stubGlobal("Notification", Object.defineProperty({}, "permission", { get: asked }));
  localStorage.clear();
  await page.draw(<Rules />);
  expect(asked).not.toHaveBeenCalled();
  expect(document.body.textContent).toBe("none");
});

function Rules() {
  return hasRules(useNotifyRules()) ? "some" : "none";
}
