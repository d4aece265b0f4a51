/** The value of a text of JSON; `undefined` for a text that is none, and where there is no text. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** Whether a parsed value is an object: neither a list nor `null`. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of a parsed value, which may be of any type or missing; of anything but an object there are none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** A field if it is a string, else `null`. */
export function textField(value: unknown, name: string): string | null {
  const field = fieldsOf(value)[name];
  return typeof field === "string" ? field : null;
}

/** A field if it is a number, else `null`. */
export function numberField(value: unknown, name: string): number | null {
  const field = fieldsOf(value)[name];
  return typeof field === "number" ? field : null;
}

/** A field if it is a list, else an empty one. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const field = fieldsOf(value)[name];
  return Array.isArray(field) ? field : [];
}

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
