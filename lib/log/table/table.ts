import { type Column, type ColumnType, type Numbers, newColumn } from "./column";

/** Names and types of a table's columns. */
export type Shape = Record<string, ColumnType>;
type Columns<S extends Shape> = { [K in keyof S]: InstanceType<S[K]> };

/** A plain copy of a table for another thread: typed arrays with room for at least `size` rows. */
export type TableData<S extends Shape> = { size: number; columns: Columns<S> };

const MIN_VIEW_LENGTH = 16;
const FIRST_CAPACITY = 256;
/** Tables of running sessions grow for hours, many at once: at most an eighth of each is spare capacity. */
const GROWTH = 1.125;

type NamedColumn<S extends Shape> = readonly [name: keyof S & string, column: Column];

class Rows<S extends Shape> {
  readonly #columns: readonly NamedColumn<S>[];
  #capacity: number;
  size: number;

  constructor(shape: S, data?: TableData<S>) {
    this.size = data?.size ?? 0;
    // An empty view would keep the whole underlying buffer alive.
    const stored = data !== undefined && data.size > 0 ? data.columns : null;
    this.#capacity = stored ? roomOf(stored) : FIRST_CAPACITY;
    this.#columns = Object.keys(shape).map((name: keyof S & string) => {
      const Type = shape[name] as ColumnType;
      return [name, newColumn(stored?.[name] ?? new Type(this.#capacity))];
    });
    Object.assign(this, Object.fromEntries(this.#columns));
  }

  /** The numbers of each column as they lie in memory, with room for more. A table that grows replaces them. */
  get columns(): Columns<S> {
    return Object.fromEntries(this.#columns.map(([name, { values }]) => [name, values])) as Columns<S>;
  }

  /** Appends an empty row, to be filled column by column, and returns its index. */
  add(): number {
    if (this.size === this.#capacity) this.#grow();
    return this.size++;
  }

  /** Appends a row and returns its index. */
  push(row: { [K in keyof S]: number }): number {
    const index = this.add();
    for (const [name, column] of this.#columns) column.put(index, row[name]);
    return index;
  }

  /** Appends rows `from … to` of another table of this shape. */
  append(other: Rows<S>, from: number, to: number): void {
    const at = this.size;
    while (at + to - from > this.#capacity) this.#grow();
    this.size = at + to - from;
    for (const [index, [, { values }]] of this.#columns.entries()) {
      const theirs = (other.#columns[index] as NamedColumn<S>)[1].values;
      // Creating a view costs more than copying a few numbers.
      if (to - from > MIN_VIEW_LENGTH) values.set(theirs.subarray(from, to), at);
      else for (let row = from; row < to; row++) values[at + row - from] = theirs[row] as number;
    }
  }

  /** The columns cut to size, for another thread or to be stored. */
  trimmed(): TableData<S> {
    const cut = this.#columns.map(([name, { values }]) => [name, values.slice(0, this.size)]);
    return { size: this.size, columns: Object.fromEntries(cut) as Columns<S> };
  }

  #grow(): void {
    this.#capacity = grownCapacity(this.#capacity);
    for (const [, column] of this.#columns) column.grow(this.#capacity);
  }
}

/**
 * Rows of numbers, stored as one typed array per column: a session of a million records must fit in memory beside
 * a hundred others. Each column is a property: `records.kind.at(row)`.
 */
export type Table<S extends Shape> = Rows<S> & { readonly [K in keyof S]: Column };
export const Table = Rows as new <S extends Shape>(shape: S, data?: TableData<S>) => Table<S>;

/** The new capacity of a table that is full at `size` rows. */
export function grownCapacity(size: number): number {
  return Math.max(size + FIRST_CAPACITY, Math.ceil(size * GROWTH));
}

/** Columns of zeros for this many rows. */
export function columnsFor<S extends Shape>(shape: S, rows: number): Columns<S> {
  const columns = {} as Columns<S>;
  for (const name of Object.keys(shape) as (keyof S & string)[]) {
    const Type = shape[name] as ColumnType;
    columns[name] = new Type(rows) as Columns<S>[typeof name];
  }
  return columns;
}

function roomOf(columns: Record<string, ArrayLike<number>>): number {
  return Math.min(...Object.values(columns).map(({ length }) => length));
}

/**
 * `array[index]` where the caller knows it is in range. Of three kinds of arrays alone: from the fifth that it meets, V8
 * would look up every access, which takes ten times as long.
 */
export function at(array: Uint8Array | Uint16Array | Int32Array, index: number): number {
  return array[index] as number;
}

/** Spare room when an array grows, as a share of the requested size. */
const SPARE_SHARE = 0.125;
const MIN_SPARE = 256;

/**
 * Returns the same numbers with length `size`, the new ones set to `fill`: a longer view of the same buffer while it
 * has room, so that adding a few is cheap. The shorter view stays valid and unchanged for its readers.
 */
export function withCapacity<N extends Exclude<Numbers, Float64Array>>(
  numbers: N,
  size: number,
  fill: number,
): N {
  const { length, buffer, byteOffset, BYTES_PER_ELEMENT: bytes } = numbers;
  if (size <= length) return numbers;
  const Type = numbers.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => N;
  let longer: N;
  if (byteOffset + size * bytes <= buffer.byteLength) longer = new Type(buffer, byteOffset, size);
  else {
    const room = size + Math.max(MIN_SPARE, Math.floor(size * SPARE_SHARE));
    longer = new Type(new ArrayBuffer(room * bytes), 0, size);
    longer.set(numbers);
  }
  longer.fill(fill, length);
  return longer;
}
