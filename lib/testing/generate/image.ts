import { deflateSync } from "node:zlib";
import { createRandom } from "./random";

/**
 * A real PNG of noise, in base64. Noise does not compress, so its size follows from the width:
 * about 4 × width² characters.
 */
export function noisePng(seed: number, width: number): string {
  const random = createRandom(seed);
  const pixels = Buffer.alloc((width * 3 + 1) * width);
  for (let at = 0; at < pixels.length; at++) pixels[at] = at % (width * 3 + 1) === 0 ? 0 : random.int(0, 255);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return png.toString("base64");
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc(body), body.length + 4);
  return framed;
}

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

// node:zlib's own crc32 came with Node 20.15 and 22.2, and is absent from the types of Node 20.
function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC_TABLE[(value ^ byte) & 255]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
