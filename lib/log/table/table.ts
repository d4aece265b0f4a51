type ColumnType =
  | Uint8ArrayConstructor
  | Uint16ArrayConstructor
  | Uint32ArrayConstructor
  | Int32ArrayConstructor
  | Float64ArrayConstructor;
/** Names and types of a table's columns. */
export type Shape = Record<string, ColumnType>;
type Columns<S extends Shape> = { [K in keyof S]: InstanceType<S[K]> };

/** A plain copy of a table for another thread: typed arrays with room for at least `size` rows. */
export type TableData<S extends Shape> = { size: number; columns: Columns<S> };

const MIN_VIEW_LENGTH = 16;
const FIRST_CAPACITY = 256;
/** Tables of running sessions grow for hours, many at once: at most an eighth of each is spare capacity. */
const GROWTH = 1.125;

/**
 * Rows of numbers, stored as one typed array per column: a session of a million records must fit in memory beside
 * a hundred others. Columns are replaced when they grow, so read them through the table each time.
 */
export class Table<S extends Shape> {
  readonly #shape: S;
  readonly #names: (keyof S & string)[];
  #capacity: number;
  size: number;
  columns: Columns<S>;

  constructor(shape: S, data?: TableData<S>) {
    this.#shape = shape;
    this.#names = Object.keys(shape);
    this.size = data?.size ?? 0;
    // An empty view would keep the whole underlying buffer alive.
    const isFilled = data !== undefined && data.size > 0;
    this.#capacity = isFilled ? roomOf(data.columns) : FIRST_CAPACITY;
    this.columns = isFilled ? data.columns : columnsFor(shape, this.#capacity);
  }

  /** Appends an empty row, to be filled column by column, and returns its index. */
  add(): number {
    if (this.size === this.#capacity) this.#grow();
    return this.size++;
  }

  /** Appends a row and returns its index. */
  push(row: { [K in keyof S]: number }): number {
    const index = this.add();
    for (const name of this.#names) this.columns[name][index] = row[name];
    return index;
  }

  /** Appends rows `from … to` of another table of this shape. */
  append({ columns }: Table<S>, from: number, to: number): void {
    const at = this.size;
    while (at + to - from > this.#capacity) this.#grow();
    this.size = at + to - from;
    for (const name of this.#names) {
      const [own, other] = [this.columns[name], columns[name]];
      // Creating a view costs more than copying a few numbers.
      if (to - from > MIN_VIEW_LENGTH) own.set(other.subarray(from, to), at);
      else for (let row = from; row < to; row++) own[at + row - from] = other[row] as number;
    }
  }

  get<K extends keyof S>(name: K, index: number): number {
    return this.columns[name][index] as number;
  }

  set<K extends keyof S>(name: K, index: number, value: number): void {
    this.columns[name][index] = value;
  }

  /** The columns cut to size, for another thread or to be stored. */
  trimmed(): TableData<S> {
    const columns = {} as Columns<S>;
    for (const name of this.#names) {
      columns[name] = this.columns[name].slice(0, this.size) as Columns<S>[typeof name];
    }
    return { size: this.size, columns };
  }

  #grow(): void {
    const old = this.columns;
    this.#capacity = grownCapacity(this.#capacity);
    this.columns = columnsFor(this.#shape, this.#capacity);
    for (const name of this.#names) this.columns[name].set(old[name]);
  }
}

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

/** `array[index]` where the caller knows it is in range. */
export function at(array: ArrayLike<number>, index: number): number {
  return array[index] as number;
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Spare room when an array grows, as a share of the requested size. */
const SPARE_SHARE = 0.125;
const MIN_SPARE = 256;

/**
 * Returns the same numbers with length `size`, the new ones set to `fill`: a longer view of the same buffer while it
 * has room, so that adding a few is cheap. The shorter view stays valid and unchanged for its readers.
 */
export function withCapacity<N extends Numbers>(numbers: N, size: number, fill: number): N {
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
