import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { respond } from "@/lib/server/http/respond";

let end: AbortController;
let followed: number;

// Somebody with a share that ends while they are being answered.
vi.mock("@/lib/server/http/caller", async (load) => ({
  ...(await load<object>()),
  callerOf: async () => ({
    kind: "guest",
    guest: {
      signal: end.signal,
      library: async () => ({ activity: { during: (answer: () => unknown) => answer() } }),
      follow: () => {
        followed += 1;
        return () => {
          followed -= 1;
        };
      },
    },
  }),
}));

beforeEach(() => {
  end = new AbortController();
  followed = 0;
});
afterEach(() => vi.restoreAllMocks());

const request = new Request("http://127.0.0.1:4747/api/events");

async function codeOf(answer: Response) {
  // A stream would never end.
  return [answer.status, answer.status === 200 ? null : (await answer.json()).error.code];
}

it("is told that it has ended, and gets no rows any more", async () => {
  const answer = await respond(request, () => {
    end.abort();
    return { rows: ["a secret"] };
  });
  expect(await codeOf(answer)).toEqual([401, "share-ended"]);
});

it("gets no stream either, which nothing would end", async () => {
  const cancel = vi.fn();
  const answer = await respond(request, () => {
    end.abort();
    return new Response(new ReadableStream({ cancel }), { headers: { "content-type": "text/event-stream" } });
  });
  expect(await codeOf(answer)).toEqual([401, "share-ended"]);
  expect(cancel).toHaveBeenCalledOnce();
  expect(followed).toBe(0);
});
