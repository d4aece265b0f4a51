import { expect, it } from "vitest";
import { ApiError, readApiError, UNREACHABLE } from "./api-error";

it("says what happened and what to do as sentences, whoever wrote them", () => {
  const full = { code: "archive-unwritable", message: "The disk is full", hint: "Make room." };
  expect(new ApiError(409, full).words).toBe("The disk is full. Make room.");
  expect(new ApiError(0, UNREACHABLE).words).toBe(
    "Backscroll does not answer. Start it again in its terminal; this page reconnects by itself.",
  );
  expect(new ApiError(500, { ...full, hint: "" }).words).toBe("The disk is full");
  // “This file” of a hint is one that its reader can find.
  const noted = new ApiError(409, { ...full, message: "It could not be saved", path: "/data/notes.jsonl" });
  expect(noted.words).toBe("It could not be saved (/data/notes.jsonl). Make room.");
});

it("is made of any answer that failed, also of one that something in between has written", async () => {
  const read = async (body: string) => {
    const { status, code, message, hint, path } = await readApiError(new Response(body, { status: 502 }));
    return { status, code, message, hint, path };
  };
  const ours = {
    code: "log-unreadable",
    message: "This log cannot be read",
    hint: "",
    path: "/logs/a.jsonl",
  };
  expect(await read(JSON.stringify({ error: ours }))).toEqual({ status: 502, ...ours });
  for (const body of ["null", "", "<html>", '"down"', '{"error":{"code":502,"message":{}}}'])
    expect(await read(body)).toMatchObject({
      code: "http-502",
      message: "The server answered 502.",
      path: null,
    });
});
