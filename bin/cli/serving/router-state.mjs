/** Next refuses longer ones. */
const MAX_LENGTH = 40_000;
/** No page of ours has a tenth of these parts inside each other. */
const MAX_PARTS_DEEP = 50;

const REFRESHES = ["refetch", "inside-shared-layout", "metadata-only"];

/**
 * Whether a `next-router-state-tree` header is one that Next can read (16.4.6). At any other it fails with a 500 and a stack
 * on the terminal, for whoever can reach the server, before a token is asked for. Without the header it sends the whole page.
 *
 * @param {string} header
 */
export function isRouterState(header) {
  if (header.length > MAX_LENGTH) return false;
  let level = [parsed(header)];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_PARTS_DEEP || !level.every(isPart)) return false;
    level = level.flatMap((part) => Object.values(/** @type {unknown[]} */ (part)[1] ?? {}));
  }
  return true;
}

/** @param {string} header */
function parsed(header) {
  try {
    return JSON.parse(decodeURIComponent(header));
  } catch {
    return undefined;
  }
}

/** @param {unknown} part of a page, with those inside of it by their names */
function isPart(part) {
  if (!Array.isArray(part) || part.length < 2 || part.length > 6) return false;
  const [segment, inside, address, refresh, hints, last] = part;
  return (
    isSegment(segment) &&
    isRecord(inside) &&
    (isMissing(address) || (Array.isArray(address) && address.length === 2 && address.every(isText))) &&
    (isMissing(refresh) || REFRESHES.includes(refresh)) &&
    (isMissing(hints) || typeof hints === "number") &&
    (last === undefined || isText(last))
  );
}

/** @param {unknown} segment a name, or a parameter: its name, its value, of which kind, and the names beside it */
function isSegment(segment) {
  if (isText(segment)) return true;
  if (!Array.isArray(segment) || segment.length !== 4) return false;
  const [name, value, kind, beside] = segment;
  return (
    isText(name) &&
    isText(value) &&
    /^(?:c|oc|d|[cd]i\(\.{1,3}\)|[cd]i\(\.\.\)\(\.\.\))$/.test(kind) &&
    (beside === null || (Array.isArray(beside) && beside.every(isText)))
  );
}

/** @param {unknown} value */
const isText = (value) => typeof value === "string";
/** @param {unknown} value */
const isMissing = (value) => value === undefined || value === null;
/** @param {unknown} value */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
