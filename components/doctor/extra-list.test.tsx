// @vitest-environment page
import { expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import { ExtraList } from "./finding-list";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

it("what stands below a session's related files comes with them, not before: it would be pushed down", async () => {
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  await drawnPage().draw(
    <ExtraList session={"s1" as SessionId}>
      <p>Record types</p>
    </ExtraList>,
  );
  expect(document.body.textContent).not.toContain("Record types");
  answer(Response.json({ extras: [{ id: "e1", kind: "plan", name: "plans/one.md", bytes: 9 }] }));
  await until(() => expect(document.body.textContent).toContain("Record types"));
  expect(document.body.textContent).toContain("plans/one.md");
});
