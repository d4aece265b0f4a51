const WILDCARDS = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);

/**
 * The address, without a slash at its end, at which this machine reaches a server bound to `host`.
 *
 * @param {string} host
 * @param {number} port
 */
export function localUrl(host, port) {
  const name = WILDCARDS.get(host) ?? (host.includes(":") ? `[${host}]` : host);
  return `http://${name}${port === 80 ? "" : `:${port}`}`;
}
