import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { decompress } from "fzstd";

/** What Node 22.15 and later have, and the types of Node 20 do not know. */
type Zstd = {
  zstdCompressSync: typeof zlib.deflateSync;
  zstdDecompress: typeof zlib.inflate;
  zstdDecompressSync: typeof zlib.inflateSync;
};

const native: Zstd | null = "zstdCompressSync" in zlib ? (zlib as typeof zlib & Zstd) : null;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, Z_MIN_CHUNK } = zlib.constants;
const { BROTLI_DECODER_PARAM_DISABLE_RING_BUFFER_REALLOCATION } = zlib.constants;
/**
 * Quality 2 makes a tenth less of it, in two thirds more time; both are unpacked as fast. The window is a MiB, as most
 * chunks are: from a longer one no less comes, which is unpacked a tenth slower.
 */
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_LGWIN]: 20 } };
/** What was packed with a longer window is not copied again and again as more of it comes. */
const UNBROTLI = { [BROTLI_DECODER_PARAM_DISABLE_RING_BUFFER_REALLOCATION]: true };
/** `ZSTD_c_compressionLevel`. Level 1 is an eighth faster and a tenth longer, 3 a third slower and hardly shorter. */
const ZSTD = { params: { 100: 2 } };
/** How what zstd has packed begins. */
const MAGIC = 0xfd2fb528;

/**
 * Packs bytes for the archive: as zstd where Node has it (to 22 % of what logs are, unpacked at some 1 GB/s), as brotli
 * up to Node 22.14 (to 24 %, at half that speed). On this thread, which stands behind all others: those that Node itself
 * would pack on do not.
 */
export function pack(bytes: Uint8Array): Uint8Array {
  // Most fits into one piece of memory this long, hardly anything needs more than two.
  const chunkSize = Math.max(1024, (bytes.length * 5) >> 4);
  return native
    ? native.zstdCompressSync(bytes, { ...ZSTD, chunkSize })
    : zlib.brotliCompressSync(bytes, { ...BROTLI, chunkSize });
}

/**
 * What was packed, by whichever Node; null if it is damaged. Up to Node 22.14 what was packed as zstd takes six times as
 * long.
 * @param length how many bytes it was
 */
export function unpack(packed: Uint8Array, length: number): Uint8Array | null {
  const options = optionsFor(length);
  return (
    (isZstd(packed)
      ? whole(length, () => native?.zstdDecompressSync(packed, options) ?? decompress(packed))
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

/** Null unless that many bytes come out of it: brotli may begin like zstd, by one chance in four billion. */
function whole(length: number, make: () => Uint8Array): Uint8Array | null {
  try {
    const bytes = make();
    return bytes.length === length ? bytes : null;
  } catch (error) {
    return nullIfDamaged(error);
  }
}

/** What unpacks names its errors by a code; a damaged head may also ask for more memory than there is. */
function nullIfDamaged(error: unknown): null {
  if (error instanceof Error && ("code" in error || error instanceof RangeError)) return null;
  throw error;
}

/** Into one piece of memory: in many small ones it takes half as long again. */
function optionsFor(length: number) {
  return { maxOutputLength: Math.max(1, length), chunkSize: Math.max(Z_MIN_CHUNK, length + 1) };
}
