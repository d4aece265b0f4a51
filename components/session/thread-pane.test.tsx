// @vitest-environment page
import { act } from "react";
import { expect, it } from "vitest";
import { parseThreadUrl } from "@/lib/client/address/session-url";
import { ApiError } from "@/lib/client/connection/api-error";
import { LiveStatusStore, type LiveStream } from "@/lib/client/connection/live-stream";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { choiceOf, FakeServer, opening } from "@/lib/testing/fake-thread";
import type { ScanProgress } from "@/lib/wire/session";
import { SessionContext, type SessionContextValue } from "./session-store";
import { ThreadPane } from "./thread-pane";

/** So many hundredths of a log have been read. */
const at = (percent: number) => ({ bytesDone: percent << 20, bytesTotal: 100 << 20 });

/** Draws the pane of a thread whose rows come from this source. */
async function drawPane(server: FakeServer): Promise<void> {
  const { store } = opening(server);
  const page = {
    ...{ sessionId: store.sessionId, session: null, choice: choiceOf("tools"), url: parseThreadUrl("") },
    ...{ setUrl: () => undefined, store: { thread: store } },
  } as unknown as SessionContextValue;
  const stream = { status: new LiveStatusStore() } as LiveStream;
  await drawnPage().draw(
    <SessionContext value={page}>
      <ThreadPane stream={stream} unseen={null} outlineDocked={false} />
    </SessionContext>,
  );
}

it("of a log that was deleted without a copy is told that, and what can be done", async () => {
  const server = new FakeServer({ tools: [] });
  const source = server.source();
  const path = "/home/dev/.claude/projects/-home-dev-shop/1.jsonl";
  const fail = async () => {
    throw new ApiError(404, { code: "file-gone", message: "This log is no longer there", hint: "", path });
  };
  server.source = () => ({ ...source, firstRows: fail, rows: fail });
  await drawPane(server);
  await until(() => expect(document.body.textContent).toContain("This session’s log was deleted"));
  expect(document.body.textContent).toContain(path);
  expect(document.body.textContent).toContain("Put the file back");
  expect([...document.querySelectorAll("button")].map(({ textContent }) => textContent)).toEqual([
    "Try again",
  ]);
  expect([...document.querySelectorAll("a")].map(({ textContent }) => textContent)).toEqual(["Library"]);
});

it("a log that is read for the first time is told once, and how far that is by its progress bar", async () => {
  const server = new FakeServer({ tools: [] });
  let scanned: (progress: ScanProgress["scanning"]) => void = () => undefined;
  const source = server.source();
  server.source = () => ({
    ...source,
    firstRows: async () => ({ body: null, progress: { scanning: at(10) } }),
    rows: (_id, _query, options) => {
      scanned = options?.onScan ?? scanned;
      return new Promise(() => undefined);
    },
  });
  await drawPane(server);
  const read = () => {
    const copy = document.querySelector('[role="status"]')?.cloneNode(true) as Element;
    for (const silent of copy.querySelectorAll("[aria-hidden]")) silent.remove();
    return copy.textContent;
  };
  // Most logs are read before that: until then the place of the rows.
  expect(document.querySelector("[role=status]")?.getAttribute("aria-label")).toBe("Loading the thread");
  await until(() => expect(read()).toContain("Reading"));
  const first = read();
  expect(first).toContain("Reading this session’s log");
  await act(async () => scanned(at(30)));
  expect(document.querySelector('[role="progressbar"]')?.getAttribute("aria-valuenow")).toBe("30");
  expect(document.body.textContent).toContain("30");
  expect(read()).toBe(first);
});
