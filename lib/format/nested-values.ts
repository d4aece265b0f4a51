/** A parsed value and all that it contains, in the order of its JSON. Iterative, since records can be nested deeply. */
export function* valuesIn(json: unknown): Generator {
  const left: unknown[] = [json];
  while (left.length > 0) {
    const value = left.pop();
    yield value;
    if (typeof value !== "object" || value === null) continue;
    const children = Object.values(value);
    for (let at = children.length - 1; at >= 0; at--) left.push(children[at]);
  }
}
