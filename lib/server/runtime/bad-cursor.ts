import { ViewerError } from "./viewer-error";

/** `bad-cursor`: where a page should begin was not said by an answer of before. */
export function badCursor(): ViewerError {
  return new ViewerError("bad-cursor", "No answer gave out this cursor", {
    status: 400,
    hint: "Start again without it.",
  });
}
