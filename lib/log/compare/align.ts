/** One side of a comparison: keys that identify its records, in reading order, and where its turns begin. */
export type AlignedSide = {
  /** Equal for records that both sides contain; `null` for a line that identifies nothing. */
  keys: readonly (string | number | null)[];
  /** Where each turn begins in `keys`, in order, with a value that distinguishes its prompt from others. */
  turns: readonly { from: number; prompt: string }[];
};

/**
 * Two turns that are paired, by their indexes in `turns`; `null` where a side has none. `shared`: `whole` if the turn
 * is on the stem, `begun` if it starts there and then continues differently, else `none`. `samePrompt`: whether the
 * prompts are equal, judged by `prompt`.
 */
export type AlignedTurns = {
  left: number | null;
  right: number | null;
  shared: "whole" | "begun" | "none";
  samePrompt: boolean;
};

/**
 * The number of records at the start of each side that form the common stem, and every turn of both, once and in order.
 */
export type Alignment = { stem: { left: number; right: number }; pairs: AlignedTurns[] };

/**
 * Aligns the turns of two sides: those of the stem with each other, later ones by equal prompts, and the rest in order.
 */
export function alignTurns(left: AlignedSide, right: AlignedSide): Alignment {
  const stem = commonStem(left.keys, right.keys);
  const shared = { left: turnsBefore(left, stem.left), right: turnsBefore(right, stem.right) };
  const both = Math.min(shared.left, shared.right);
  const pairs: AlignedTurns[] = [];
  for (let turn = 0; turn < both; turn++) {
    const isLast = turn === both - 1;
    const goesOn = isLast && (hasOwn(left, turn, stem.left) || hasOwn(right, turn, stem.right));
    pairs.push({ left: turn, right: turn, shared: goesOn ? "begun" : "whole", samePrompt: true });
  }
  const prompts = ({ turns }: AlignedSide) => turns.slice(both).map(({ prompt }) => prompt);
  const own = { left: prompts(left), right: prompts(right) };
  for (const pair of alignLists(own.left, own.right))
    pairs.push({
      left: shifted(pair.left, both),
      right: shifted(pair.right, both),
      shared: "none",
      samePrompt: pair.left !== null && pair.right !== null && own.left[pair.left] === own.right[pair.right],
    });
  return { stem, pairs };
}

function shifted(place: number | null, by: number): number | null {
  return place === null ? null : place + by;
}

/** The longest common beginning, ignoring lines without a key. It ends with the last line that both sides contain. */
function commonStem(left: AlignedSide["keys"], right: AlignedSide["keys"]): Alignment["stem"] {
  const stem = { left: 0, right: 0 };
  let one = nextKey(left, 0);
  let other = nextKey(right, 0);
  while (one < left.length && other < right.length && left[one] === right[other]) {
    stem.left = one + 1;
    stem.right = other + 1;
    one = nextKey(left, stem.left);
    other = nextKey(right, stem.right);
  }
  return stem;
}

function nextKey(keys: AlignedSide["keys"], from: number): number {
  let next = from;
  while (next < keys.length && keys[next] === null) next += 1;
  return next;
}

function turnsBefore({ turns }: AlignedSide, end: number): number {
  const first = turns.findIndex(({ from }) => from >= end);
  return first === -1 ? turns.length : first;
}

/** Whether a turn in which the stem ends has further records with keys, by which it differs from the other side's. */
function hasOwn({ keys, turns }: AlignedSide, turn: number, stem: number): boolean {
  return nextKey(keys, stem) < (turns[turn + 1]?.from ?? keys.length);
}

/** Indexes of two lists that are shown side by side. */
export type Beside = { left: number | null; right: number | null };

/** Above this many comparisons, what is left between two equal beginnings and ends is paired in order. */
const MAX_COMPARED = 4_000_000;

/**
 * Aligns two lists by their longest common subsequence. Between two equal items, items of the left are paired with
 * items of the right, in order. Every index of both lists occurs once.
 * @param alike which unequal items may be paired: by default any
 */
export function alignLists(
  left: readonly string[],
  right: readonly string[],
  alike?: { left: readonly string[]; right: readonly string[] },
): Beside[] {
  const pairs: Beside[] = [];
  let gap: { left: number[]; right: number[] } = { left: [], right: [] };
  const close = () => {
    for (const beside of alike ? pairAlike(gap, alike) : pairInOrder(gap)) pairs.push(beside);
    gap = { left: [], right: [] };
  };
  for (const beside of commonSubsequence(left, right)) {
    if (beside.left !== null && beside.right !== null) {
      close();
      pairs.push(beside);
    } else if (beside.left !== null) gap.left.push(beside.left);
    else if (beside.right !== null) gap.right.push(beside.right);
  }
  close();
  return pairs;
}

function pairInOrder({ left, right }: { left: readonly number[]; right: readonly number[] }): Beside[] {
  const length = Math.max(left.length, right.length);
  return Array.from({ length }, (_, at) => ({ left: left[at] ?? null, right: right[at] ?? null }));
}

/** Pairs the items of a gap that are alike, in order; all others stay alone. */
function pairAlike(
  gap: { left: readonly number[]; right: readonly number[] },
  alike: { left: readonly string[]; right: readonly string[] },
): Beside[] {
  const names = (places: readonly number[], of: readonly string[]) => places.map((place) => of[place] ?? "");
  const found = commonSubsequence(names(gap.left, alike.left), names(gap.right, alike.right));
  return found.map(({ left, right }) => ({
    left: left === null ? null : (gap.left[left] ?? null),
    right: right === null ? null : (gap.right[right] ?? null),
  }));
}

/** Both lists in order, equal ones beside each other; before those the left's own, then the right's. */
function commonSubsequence(left: readonly string[], right: readonly string[]): Beside[] {
  let from = 0;
  while (from < left.length && from < right.length && left[from] === right[from]) from += 1;
  let tail = 0;
  while (
    tail < left.length - from &&
    tail < right.length - from &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  )
    tail += 1;
  const pairs: Beside[] = Array.from({ length: from }, (_, at) => ({ left: at, right: at }));
  const ends = { left: left.length - tail, right: right.length - tail };
  for (const beside of subsequenceOf(left.slice(from, ends.left), right.slice(from, ends.right), from))
    pairs.push(beside);
  for (let at = 0; at < tail; at++) pairs.push({ left: ends.left + at, right: ends.right + at });
  return pairs;
}

/** The part between equal beginnings and ends, which stands at `offset` of both lists. */
function subsequenceOf(left: readonly string[], right: readonly string[], offset: number): Beside[] {
  const width = right.length + 1;
  if (left.length * right.length > MAX_COMPARED) {
    return [
      ...left.map((_, at) => ({ left: offset + at, right: null })),
      ...right.map((_, at) => ({ left: null, right: offset + at })),
    ];
  }
  // The length of the longest common subsequence of what begins here.
  const lengths = new Uint32Array((left.length + 1) * width);
  const length = (one: number, other: number) => lengths[one * width + other] ?? 0;
  for (let one = left.length - 1; one >= 0; one--)
    for (let other = right.length - 1; other >= 0; other--)
      lengths[one * width + other] =
        left[one] === right[other]
          ? length(one + 1, other + 1) + 1
          : Math.max(length(one + 1, other), length(one, other + 1));
  const pairs: Beside[] = [];
  let one = 0;
  let other = 0;
  while (one < left.length || other < right.length) {
    if (one < left.length && other < right.length && left[one] === right[other]) {
      pairs.push({ left: offset + one++, right: offset + other++ });
    } else if (
      other === right.length ||
      (one < left.length && length(one + 1, other) >= length(one, other + 1))
    ) {
      pairs.push({ left: offset + one++, right: null });
    } else {
      pairs.push({ left: null, right: offset + other++ });
    }
  }
  return pairs;
}
