// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AnnotationKind } from "@/lib/wire/annotations";
import type { SessionId } from "@/lib/wire/ids";
import { OrganiseDialog } from "./organise-dialog";

const SESSION = "s1" as SessionId;
const put = (id: string, kind: AnnotationKind, body: string) => ({
  id,
  kind,
  body,
  revision: 1,
  target: { sessionId: SESSION, projectId: null, recordId: null },
});

let there: ReturnType<typeof put>[];
/** What was asked of the server that changes something. */
let asked: string[];
let root: ReturnType<typeof createRoot>;
let client: QueryClient;

beforeEach(async () => {
  there = [put("1", "tag", "mine"), put("2", "name", "Old name")];
  asked = [];
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async (url: string, { method = "GET", body }: RequestInit = {}) => {
    if (method === "GET") return Response.json({ annotations: there });
    asked.push(`${method} ${url} ${typeof body === "string" ? body : ""}`);
    return Response.json({});
  });
  document.body.innerHTML = "<div></div>";
  client = new QueryClient();
  root = createRoot(document.body.firstElementChild as HTMLElement);
  const element = (
    <QueryClientProvider client={client}>
      <OrganiseDialog sessions={[SESSION]} onOpenChange={() => undefined} />
    </QueryClientProvider>
  );
  await act(async () => root.render(element));
  await act(() =>
    vi.waitFor(() => {
      if (!document.querySelector("form")) throw new Error("no form yet");
    }),
  );
});

afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

const save = () =>
  act(async () => {
    document.querySelector("form")?.requestSubmit();
    await vi.waitFor(() => expect(document.querySelector("form button[disabled]")).toBeNull());
  });

it("what another window has put on a session meanwhile stays when nothing was changed here", async () => {
  there = [
    put("1", "tag", "mine"),
    put("2", "name", "New name"),
    put("3", "tag", "theirs"),
    put("4", "star", ""),
  ];
  const [query] = client.getQueryCache().findAll({ queryKey: ["annotations"] });
  await act(() => client.invalidateQueries({ queryKey: ["annotations"] }));
  expect(query?.state.data).toEqual(there);
  await save();
  expect(asked).toEqual([]);
});

it("only what was changed here is saved", async () => {
  there = [...there, put("3", "tag", "theirs"), put("4", "star", "")];
  await act(() => client.invalidateQueries({ queryKey: ["annotations"] }));
  const remove = document.querySelector<HTMLElement>('[aria-label="Remove the tag mine"]');
  act(() => remove?.click());
  await save();
  expect(asked).toEqual([expect.stringMatching(/^DELETE .*\/annotations\/1/)]);
});
