/** States whose changes are known one by one: readers look at every one or start anew. */
const MOST_CHANGES = 64;

/** Calls, messages and records whose rows stay and say something else. */
export type Changed = {
  calls: ReadonlySet<number>;
  messages: ReadonlySet<number>;
  records: ReadonlySet<number>;
};

/** What a state has changed of rows that stay. `after`: the revision before. `more`: and others, nobody knows which. */
export type Change = Changed & { revision: number; after: number; more: boolean };

/** The changes of the last states with one more. */
export function withChange(changes: readonly Change[], change: Change): readonly Change[] {
  return [...changes, change].slice(-MOST_CHANGES);
}

/** What has changed in its place since a revision: null where that is not known one by one. */
export function changesSince(changes: readonly Change[], revision: number): Changed | null {
  const since = changes.filter((change) => change.revision > revision);
  const isKnown = changes.some((change) => change.after === revision);
  if (!isKnown || since.some(({ more }) => more)) return null;
  return {
    calls: new Set(since.flatMap(({ calls }) => [...calls])),
    messages: new Set(since.flatMap(({ messages }) => [...messages])),
    records: new Set(since.flatMap(({ records }) => [...records])),
  };
}
