import { STORED_FIELDS, type StoredText } from "@/lib/server/scan/stored-session";
import { makeSignature } from "./signature";

/** Texts of a session, joined until there is enough for a row. */
const CHUNK_UNITS = 32 << 10;

/** The origin of one text of a chunk; `length` is its bytes. As an array, since there are many. */
type Place = [
  file: number,
  offset: number,
  block: number,
  field: number,
  atMs: number | null,
  tool: number,
  length: number,
];

/** Texts as the index stores them, together: which trigrams they hold, where each is from, and their UTF-8 bytes. */
export type TextChunk = { signature: Uint8Array; places: string; texts: Uint8Array };

/** Where a text of a chunk is from, and where it is in the chunk, in bytes. */
export type ChunkPlace = Omit<StoredText, "text"> & { from: number; to: number };

/** Cuts texts into chunks, in order. */
export function makeChunks(texts: readonly StoredText[]): TextChunk[] {
  const chunks: TextChunk[] = [];
  let open: StoredText[] = [];
  let units = 0;
  for (const text of texts) {
    open.push(text);
    units += text.text.length;
    if (units < CHUNK_UNITS) continue;
    chunks.push(makeChunk(open));
    open = [];
    units = 0;
  }
  if (open.length > 0) chunks.push(makeChunk(open));
  return chunks;
}

/** True for a chunk that more texts may be put into. */
export function hasRoom({ texts }: TextChunk): boolean {
  return texts.length < CHUNK_UNITS / 2;
}

/** The texts from which a chunk was made. */
export function textsOf({ places, texts }: Pick<TextChunk, "places" | "texts">): StoredText[] {
  const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength);
  return placesOf(places).map(({ from, to, ...place }) => ({
    ...place,
    text: bytes.toString("utf8", from, to),
  }));
}

function makeChunk(texts: readonly StoredText[]): TextChunk {
  const names: string[] = [];
  const numberOf = (name: string) => {
    const known = names.indexOf(name);
    return known === -1 ? names.push(name) - 1 : known;
  };
  const bytes = texts.map(({ text }) => Buffer.from(text, "utf8"));
  const places = texts.map(
    ({ file, offset, block, field, atMs, tool }, at): Place => [
      numberOf(file),
      offset,
      block,
      STORED_FIELDS.indexOf(field),
      atMs,
      tool === null ? -1 : numberOf(tool),
      bytes[at]?.length ?? 0,
    ],
  );
  const signature = makeSignature(texts.map(({ text }) => text));
  return { signature, places: JSON.stringify([names, places]), texts: Buffer.concat(bytes) };
}

/** The origins of a chunk's texts, in the order of their bytes. */
export function placesOf(places: string): ChunkPlace[] {
  const [names, list] = JSON.parse(places) as [string[], Place[]];
  let to = 0;
  return list.map(([file, offset, block, field, atMs, tool, length]) => {
    to += length;
    return {
      file: names[file] ?? "m",
      offset,
      block,
      field: STORED_FIELDS[field] ?? "text",
      atMs,
      tool: names[tool] ?? null,
      from: to - length,
      to,
    };
  });
}
