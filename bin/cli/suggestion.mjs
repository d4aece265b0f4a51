/**
 * The name that a mistyped one was most likely meant as: its beginning, or one that differs by up to two letters (one in a
 * short name) that are wrong, missing, too many, or swapped with the next.
 *
 * @param {string} typed
 * @param {Iterable<string>} names
 * @returns {string | null} null where none is near, or several are equally near
 */
export function nearestName(typed, names) {
  const found = [...names].map((name) => ({ name, distance: distanceOf(typed.toLowerCase(), name) }));
  const nearest = Math.min(...found.map(({ distance }) => distance));
  const isNear = nearest <= (typed.length < 5 ? 1 : 2);
  const [first, ...others] = found.filter(({ distance }) => distance === nearest);
  return isNear && first !== undefined && others.length === 0 ? first.name : null;
}

/** As far as this any two names are apart; words of any length are compared, and none takes long. */
const FAR = 99;

/**
 * The number of single changes that make one word of another, 1 for the beginning of a name.
 *
 * @param {string} typed
 * @param {string} name
 */
function distanceOf(typed, name) {
  if (Math.abs(typed.length - name.length) > 2 || typed === "")
    return typed.length > 2 && name.startsWith(typed) ? 1 : FAR;
  /** @type {number[][]} */
  const rows = [Array.from({ length: name.length + 1 }, (_, column) => column)];
  const at = (/** @type {number} */ row, /** @type {number} */ column) => rows[row]?.[column] ?? FAR;
  for (let row = 1; row <= typed.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= name.length; column++) {
      const isSame = typed[row - 1] === name[column - 1];
      const isSwapped = typed[row - 1] === name[column - 2] && typed[row - 2] === name[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped && row > 1 && column > 1 ? at(row - 2, column - 2) + 1 : FAR,
        ),
      );
    }
  }
  const changes = at(typed.length, name.length);
  return typed.length > 2 && name.startsWith(typed) ? Math.min(changes, 1) : changes;
}
