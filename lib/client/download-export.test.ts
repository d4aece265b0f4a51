// @vitest-environment page
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { downloadExport, readExport } from "./download-export";

const PATH = "/api/sessions/s1/export?format=log&turns=1-2";

let asked: string[] = [];
let refusal: object | null = null;

beforeEach(() => {
  asked = [];
  refusal = null;
  vi.stubGlobal("fetch", async (path: string, { method = "GET" }: RequestInit) => {
    asked.push(`${method} ${path}`);
    if (method === "HEAD") return new Response(null, { status: refusal ? 400 : 200 });
    if (method === "GET" && refusal) return Response.json({ error: refusal }, { status: 400 });
    return Response.json(method === "GET" ? "the file" : { ticket: "one" });
  });
});

afterEach(() => vi.unstubAllGlobals());

it("tells why there is no file, and the browser stays on the page", async () => {
  refusal = { code: "not-in-format", message: "The log cannot hold a part of a session", hint: "" };
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  await expect(downloadExport(PATH)).rejects.toMatchObject({ code: "not-in-format" });
  expect(asked).toEqual([`HEAD ${PATH}`, `GET ${PATH}`]);
  expect(assign).not.toHaveBeenCalled();
});

it("has the browser load a file that there is, which is made for it alone", async () => {
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  await downloadExport(PATH);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(`${PATH}&ticket=one`));
  expect(asked).toEqual([`HEAD ${PATH}`, "POST /api/tickets"]);
});

it("reads an export that is to be copied, and no further than anybody could paste", async () => {
  vi.stubGlobal("fetch", async () => new Response("# A session – café"));
  expect(await readExport(PATH)).toBe("# A session – café");
  let [sent, isEnded] = [0, false];
  const endless = new ReadableStream<Uint8Array>({
    pull(to) {
      sent += 1;
      to.enqueue(new Uint8Array(1_000_000).fill(120));
    },
    cancel() {
      isEnded = true;
    },
  });
  vi.stubGlobal("fetch", async () => new Response(endless));
  await expect(readExport(PATH)).rejects.toThrow("too long to be copied");
  await vi.waitFor(() => expect(isEnded).toBe(true));
  expect(sent).toBeLessThan(20);
});
