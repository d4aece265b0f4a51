import { expect, it } from "vitest";
import { ApiError, UNREACHABLE } from "./api-error";

it("says what happened and what to do as sentences, whoever wrote them", () => {
  const full = { code: "archive-unwritable", message: "The disk is full", hint: "Make room." };
  expect(new ApiError(409, full).words).toBe("The disk is full. Make room.");
  expect(new ApiError(0, UNREACHABLE).words).toBe(
    "Backscroll does not answer. Start it again in its terminal; this page goes on by itself.",
  );
  expect(new ApiError(500, { ...full, hint: "" }).words).toBe("The disk is full");
});
