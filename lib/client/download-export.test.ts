// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "./api";
import { downloadExport } from "./download-export";

const PATH = "/api/sessions/s1/export?format=log&turns=1-2";

let asked: string[] = [];
let refusal: object | null = null;

beforeEach(() => {
  asked = [];
  refusal = null;
  vi.stubGlobal("fetch", async (path: string, { method = "GET" }: RequestInit) => {
    asked.push(`${method} ${path}`);
    if (method === "GET" && refusal) return Response.json({ error: refusal }, { status: 400 });
    return Response.json(method === "GET" ? "the file" : { ticket: "one" });
  });
});

afterEach(() => vi.unstubAllGlobals());

it("tells why there is no file, and the browser stays on the page", async () => {
  refusal = { code: "not-in-format", message: "The log cannot hold a part of a session", hint: "" };
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  await expect(downloadExport(PATH)).rejects.toBeInstanceOf(ApiError);
  expect(asked).toEqual([`GET ${PATH}`]);
  expect(assign).not.toHaveBeenCalled();
});

it("has the browser load a file that there is", async () => {
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  await downloadExport(PATH);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(`${PATH}&ticket=one`));
  expect(asked.at(-1)).toBe("POST /api/tickets");
});
