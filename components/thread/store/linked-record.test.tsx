// @vitest-environment page
import { act } from "react";
import { expect, it } from "vitest";
import { Toaster } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/connection/api-error";
import { drawnPage } from "@/lib/testing/drawn-page";
import { FakeServer, many, opened } from "@/lib/testing/fake-thread";

it("a link to a record that the log no longer has opens the session, and says that it is not there", async () => {
  const page = drawnPage();
  await page.draw(<Toaster />);
  const server = new FakeServer({ tools: many(30) });
  const source = server.source();
  const error = { code: "record-not-found", message: "There is no such record in this session", hint: "" };
  server.source = () => ({
    ...source,
    rows: async (id, query, options) => {
      if (query.around) throw new ApiError(404, error);
      return source.rows(id, query, options);
    },
  });
  const { store } = await act(() => opened(server, "m~zz"));
  await page.settle();
  expect(store.get().thread?.windows.getSnapshot().total).toBe(30);
  expect(document.body.textContent).toBe("There is no such record in this session");
});

it("a link to a record that the view leaves out says so, and how it is shown", async () => {
  const page = drawnPage();
  await page.draw(<Toaster />);
  await act(() => opened(new FakeServer({ tools: many(30) }), "m~zz"));
  await page.settle();
  expect(document.body.textContent).toContain(
    "The linked record is hidden in this view: press 4 to show everything",
  );
});
