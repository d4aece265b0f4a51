// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import { useSearchSessions } from "./use-search-vocabulary";

function Names() {
  const { list, byId } = useSearchSessions();
  const ids = list.map(({ id }) => id).join(" ");
  return <output>{`${ids}; ${byId.get("hidden" as SessionId)?.title}`}</output>;
}

it("a hidden session has its name beside its hits, and is not offered", async () => {
  const sessions = [
    { id: "shown", title: "A shown one", marks: null },
    { id: "hidden", title: "A hidden one", marks: { hidden: true, tags: [] } },
  ];
  // As the server does: what is hidden is left out unless it is asked for.
  vi.stubGlobal("fetch", async (address: string) => {
    const isAsked = /is:"?hidden/.test(new URL(address, "http://127.0.0.1").searchParams.get("q") ?? "");
    return Response.json({
      sessions: sessions.filter(({ marks }) => isAsked || !marks?.hidden),
      nextCursor: null,
    });
  });
  await drawnPage().draw(<Names />);
  await act(() =>
    vi.waitFor(() => expect(document.querySelector("output")?.textContent).toBe("shown; A hidden one")),
  );
});
