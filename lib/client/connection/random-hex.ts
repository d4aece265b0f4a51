/** Bytes as hexadecimal digits, two a byte. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * So many random bytes as hexadecimal digits: an id or a secret that nobody guesses. `crypto.randomUUID` is missing at a
 * network address without TLS.
 */
export function randomHex(bytes: number): string {
  return toHex(crypto.getRandomValues(new Uint8Array(bytes)));
}
