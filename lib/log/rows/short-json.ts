const MOST_LEVELS = 32;

/**
 * A value as JSON, ended after about `limit` characters and with `…` for what nests deeper than 32
 * levels: logs can nest 100,000 deep, where `JSON.stringify` overflows the stack.
 */
export function shortJson(value: unknown, limit: number): string {
  const parts: string[] = [];
  let left = limit;
  write(value, 0);
  return parts.join("");

  function put(text: string): void {
    parts.push(text);
    left -= text.length;
  }

  function write(inner: unknown, depth: number): void {
    if (typeof inner === "string") put(JSON.stringify(inner.slice(0, Math.max(0, left))));
    else if (typeof inner !== "object" || inner === null) put(String(inner));
    else if (depth >= MOST_LEVELS) put("…");
    else if (Array.isArray(inner)) writeAll(inner.values(), "[", "]", (one) => write(one, depth + 1));
    else
      writeAll(Object.entries(inner).values(), "{", "}", ([key, one]) => {
        put(`${JSON.stringify(key)}:`);
        write(one, depth + 1);
      });
  }

  function writeAll<T>(items: Iterable<T>, open: string, close: string, writeOne: (item: T) => void): void {
    put(open);
    let first = true;
    for (const item of items) {
      if (left <= 0) {
        put("…");
        break;
      }
      if (!first) put(",");
      first = false;
      writeOne(item);
    }
    put(close);
  }
}
