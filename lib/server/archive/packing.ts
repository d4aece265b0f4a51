import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { decompress } from "fzstd";

/** Functions of Node 22.15 and later, which the types of Node 20 lack. */
type Zstd = {
  zstdCompressSync: typeof zlib.deflateSync;
  zstdDecompress: typeof zlib.inflate;
  zstdDecompressSync: typeof zlib.inflateSync;
};

const native: Zstd | null = "zstdCompressSync" in zlib ? (zlib as typeof zlib & Zstd) : null;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, Z_MIN_CHUNK } = zlib.constants;
const { BROTLI_DECODER_PARAM_DISABLE_RING_BUFFER_REALLOCATION } = zlib.constants;
/**
 * Quality 2 makes it a tenth smaller, in two thirds more time; both unpack equally fast. The window is a MiB, like most
 * chunks: a longer one saves nothing, and unpacks a tenth slower.
 */
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_LGWIN]: 20 } };
/** Prevents repeated copying of the output of a longer window. */
const UNBROTLI = { [BROTLI_DECODER_PARAM_DISABLE_RING_BUFFER_REALLOCATION]: true };
/** `ZSTD_c_compressionLevel`. Level 1 is an eighth faster and a tenth longer, 3 a third slower and hardly shorter. */
const ZSTD = { params: { 100: 2 } };
/** The first bytes of zstd data. */
const MAGIC = 0xfd2fb528;

/**
 * Packs bytes for the archive: as zstd where Node has it (to 22 % of a log's size, unpacked at some 1 GB/s), as brotli
 * up to Node 22.14 (to 24 %, at half that speed). On this thread, which has the lowest priority: Node's own threads for
 * packing do not.
 */
export function pack(bytes: Uint8Array): Uint8Array {
  // Most chunks fit into one buffer of this size, hardly any needs more than two.
  const chunkSize = Math.max(1024, (bytes.length * 5) >> 4);
  return native
    ? native.zstdCompressSync(bytes, { ...ZSTD, chunkSize })
    : zlib.brotliCompressSync(bytes, { ...BROTLI, chunkSize });
}

/**
 * The original bytes, whichever Node packed them; null if they are damaged. Up to Node 22.14 zstd data takes six times
 * as long.
 * @param length the number of original bytes
 */
export function unpack(packed: Uint8Array, length: number): Uint8Array | null {
  const options = optionsFor(length);
  return (
    (isZstd(packed)
      ? whole(length, () => native?.zstdDecompressSync(packed, options) ?? unpackHere(packed, length))
      : null) ?? whole(length, () => zlib.brotliDecompressSync(packed, { ...options, params: UNBROTLI }))
  );
}

/** The same, on another thread where Node can. */
export async function unpackAside(packed: Uint8Array, length: number): Promise<Uint8Array | null> {
  if (isZstd(packed) && !native) return unpack(packed, length);
  const options = optionsFor(length);
  const unpacking =
    isZstd(packed) && native
      ? promisify<Uint8Array, object, Uint8Array>(native.zstdDecompress)(packed, options)
      : promisify<Uint8Array, object, Uint8Array>(zlib.brotliDecompress)(packed, {
          ...options,
          params: UNBROTLI,
        });
  const bytes = await unpacking.catch(nullIfDamaged);
  return bytes?.length === length ? bytes : unpack(packed, length);
}

function isZstd(packed: Uint8Array): boolean {
  return packed.length >= 4 && Buffer.from(packed.buffer, packed.byteOffset, 4).readUInt32LE() === MAGIC;
}

/**
 * By `fzstd`, into memory of this length: it asks for none besides, whatever the data says. Node always writes down how
 * long the original is; null where that is another length, or the data is damaged.
 */
function unpackHere(packed: Uint8Array, length: number): Uint8Array | null {
  if (statedLength(packed) !== length) return null;
  const into = new Uint8Array(length);
  try {
    return decompress(packed, into);
  } catch {
    return null; // on damaged data it runs into what is not there, with errors of any kind
  }
}

/** The length of the original that the head of zstd data names; null where it names none. */
function statedLength(packed: Uint8Array): number | null {
  const flags = packed[4] ?? 0;
  const isSingle = (flags >> 5) & 1;
  const ofDictionary = [0, 1, 2, 4][flags & 3] ?? 0;
  const size = flags >> 6 === 0 ? isSingle : 1 << (flags >> 6);
  const at = 6 - isSingle + ofDictionary;
  if (size === 0 || packed.length < at + size) return null;
  const field = Buffer.from(packed.buffer, packed.byteOffset + at, size);
  if (size === 8) return Number(field.readBigUInt64LE());
  return field.readUIntLE(0, size) + (size === 2 ? 256 : 0);
}

/** Null unless it unpacks to this many bytes: brotli data may begin like zstd, by a chance of one in four billion. */
function whole(length: number, make: () => Uint8Array | null): Uint8Array | null {
  try {
    const bytes = make();
    return bytes?.length === length ? bytes : null;
  } catch (error) {
    return nullIfDamaged(error);
  }
}

/** Errors of unpacking have a code; a damaged head may also ask for more memory than there is. */
function nullIfDamaged(error: unknown): null {
  if (error instanceof Error && ("code" in error || error instanceof RangeError)) return null;
  throw error;
}

/** Into one buffer: many small ones take half as long again. */
function optionsFor(length: number) {
  return { maxOutputLength: Math.max(1, length), chunkSize: Math.max(Z_MIN_CHUNK, length + 1) };
}
