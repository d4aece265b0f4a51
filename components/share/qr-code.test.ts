import { encode } from "uqr";
import { expect, test } from "vitest";
import { drawQrCode } from "./qr-code";

test("the path covers the dark squares of the code and no others, inside a margin of four", () => {
  const text = "http://127.0.0.1:4747/sessions/x?at=m~1k9#t=share~0123456789abcdef";
  const { path, size } = drawQrCode(text);
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  const { data } = encode(text, { border: 0 });
  const row = (y: number) => (drawn[y + 4] ?? []).slice(4, -4);
  expect(data.map((_, y) => row(y))).toEqual(data);
  expect(drawn.flat().filter(Boolean)).toHaveLength(data.flat().filter(Boolean).length);
});
