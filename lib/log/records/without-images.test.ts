import { expect, test } from "vitest";
import { lineWithoutImages, withoutImages } from "./without-images";

const BYTES = "iVBORw0KGgo";
const source = { type: "base64", media_type: "image/png", data: BYTES };

test("a word stands in the place of each image and document, also inside a result", () => {
  const content = [
    { type: "text", text: "before" },
    { type: "image", source },
    {
      type: "tool_result",
      content: [
        { type: "document", source },
        { type: "text", text: "after" },
      ],
    },
    { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
  ];
  expect(withoutImages({ role: "user", content })).toEqual({
    role: "user",
    content: [
      { type: "text", text: "before" },
      { type: "text", text: "[image]" },
      {
        type: "tool_result",
        content: [
          { type: "text", text: "[document]" },
          { type: "text", text: "after" },
        ],
      },
      { type: "text", text: "[image]" },
    ],
  });
});

test.each([
  ["image", { base64: BYTES, type: "image/png" }, "", "[image]"],
  ["pdf", { filePath: "/a/doc.pdf", base64: BYTES }, "/a/doc.pdf", "[document]"],
])(
  "what Read returned of one (%s, 2.1.330) is a text of one line, as its client reads it",
  (type, file, filePath, content) => {
    const line = { type: "user", toolUseResult: { type, file } };
    const lines = { numLines: 1, startLine: 1, totalLines: 1 };
    expect(lineWithoutImages(line)).toEqual({
      type: "user",
      toolUseResult: { type: "text", file: { filePath, content, ...lines } },
    });
  },
);

test("an image that a command printed is a word", () => {
  const stdout = `data:image/png;base64,${BYTES}`;
  expect(withoutImages({ stdout, isImage: true })).toEqual({ stdout: "[image]", isImage: true });
  const told = { text: `It begins with ${stdout}` };
  expect(withoutImages(told)).toBe(told);
});

test("a line without any is the same line, and none is changed in its place", () => {
  const line = { type: "user", message: { content: [{ type: "text", text: "image" }] }, kind: "image" };
  expect(lineWithoutImages(line)).toBe(line);
  const held = { message: { content: [{ type: "image", source }] } };
  const before = JSON.stringify(held);
  expect(lineWithoutImages(held)).not.toBe(held);
  expect(JSON.stringify(held)).toBe(before);
});

test("a field that nests too deep to be written is left out with the images", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 5_000; level++) deep = [deep];
  expect(lineWithoutImages({ deep, message: { type: "image", source } })).toEqual({
    message: { type: "text", text: "[image]" },
  });
});
