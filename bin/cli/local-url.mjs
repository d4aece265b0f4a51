const WILDCARDS = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);

/**
 * The URL, without a trailing slash, under which this machine reaches a server bound to `host`.
 *
 * @param {string} host
 * @param {number} port
 */
export function localUrl(host, port) {
  const name = WILDCARDS.get(host) ?? (host.includes(":") ? `[${host}]` : host);
  return `http://${name}${port === 80 ? "" : `:${port}`}`;
}
