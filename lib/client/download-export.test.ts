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

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** What the browser is told to download: the links that are clicked, and whether the page would be left for any. */
function clickedLinks(): string[] {
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    const way = this.hasAttribute("download") ? "downloads" : "opens";
    clicked.push(`${way} ${this.getAttribute("href")}`);
  });
  vi.spyOn(window.location, "assign").mockImplementation((url) => void clicked.push(`leaves for ${url}`));
  return clicked;
}

it("tells why there is no file, and downloads none", async () => {
  refusal = { code: "not-in-format", message: "The log cannot hold a part of a session", hint: "" };
  const clicked = clickedLinks();
  await expect(downloadExport(PATH)).rejects.toMatchObject({ code: "not-in-format" });
  expect(asked).toEqual([`HEAD ${PATH}`, `GET ${PATH}`]);
  expect(clicked).toEqual([]);
});

it("has the browser download a file that there is, which is made for it alone, without a navigation", async () => {
  const clicked = clickedLinks();
  await downloadExport(PATH);
  await vi.waitFor(() => expect(clicked).toEqual([`downloads ${PATH}&ticket=one`]));
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
