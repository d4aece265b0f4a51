type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Room for so many more numbers than are asked for, as a share of them. */
const SPARE = 0.125;
const LEAST_SPARE = 256;

/**
 * The same numbers with room for `size`, the new ones being `fill`: a longer view of the same buffer while that
 * has room, so that adding a few costs a few. The shorter view stays what it was, for whoever still reads it.
 */
export function grown<N extends Numbers>(numbers: N, size: number, fill: number): N {
  const { length, buffer, byteOffset, BYTES_PER_ELEMENT: bytes } = numbers;
  if (size <= length) return numbers;
  const Type = numbers.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => N;
  let longer: N;
  if (byteOffset + size * bytes <= buffer.byteLength) longer = new Type(buffer, byteOffset, size);
  else {
    const room = size + Math.max(LEAST_SPARE, Math.floor(size * SPARE));
    longer = new Type(new ArrayBuffer(room * bytes), 0, size);
    longer.set(numbers);
  }
  longer.fill(fill, length);
  return longer;
}
