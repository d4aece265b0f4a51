// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { noteLastHeard } from "@/lib/client/connection/last-known";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { Watching } from "./watching";

it("says soon that nothing is watched for this page any more, before its next question of that fails", async () => {
  const health = { indexing: { done: true, bytesDone: 0 }, watching: { folders: 3, polled: 0 } };
  vi.stubGlobal("fetch", async () => Response.json(health));
  await drawnPage().draw(<Watching />);
  await until(() => expect(document.body.textContent).toBe("Watching 3 folders"));
  const stream = {};
  await act(async () => noteLastHeard(stream, 1));
  await until(() => expect(document.body.textContent).toBe("Not connected"));
  await act(async () => noteLastHeard(stream, null));
  expect(document.body.textContent).toBe("Watching 3 folders");
});
