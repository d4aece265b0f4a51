/**
 * A number from 0 that two texts share if they are the same: enough to see that an answer says again
 * what its parent said, without keeping either.
 */
export function textMark(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash & 0x7fffffff;
}
