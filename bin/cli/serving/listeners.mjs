import { lookup } from "node:dns/promises";
import { createServer, isIPv6, SocketAddress } from "node:net";
import { UsageError } from "../usage-error.mjs";

/** Where the owner reaches a server that was given an address of the network: the owner's token is not taken at that one. */
export const OWNERS_HOST = "127.0.0.1";

/** How often another free port is looked for. */
const MAX_TRIES = 20;

/** @param {string} host as `--host` gives it */
export function isLoopback(host) {
  return /^(127\.|::1$|localhost$)/i.test(host);
}

/**
 * Where a server with this `--host` listens.
 *
 * `host` is where it was told to; `ownersHost` is what its owner asks, which `isApart` needs a listener of its own.
 *
 * @typedef {{ host: string, ownersHost: string, isApart: boolean }} Places
 *
 * @param {string} host
 * @returns {Promise<Places>}
 * @throws {NodeJS.ErrnoException} for a name that means no address
 */
export async function placesOf(host) {
  if (isLoopback(host)) return { host, ownersHost: host, isApart: false };
  const address = spelledShort((await lookup(host)).address);
  if (address === "0.0.0.0" || address === "::")
    return { host: address, ownersHost: address, isApart: false };
  return { host, ownersHost: OWNERS_HOST, isApart: address !== OWNERS_HOST };
}

/** @param {string} address an IPv6 one can be written in several ways */
function spelledShort(address) {
  return isIPv6(address)
    ? new SocketAddress({ address: address.replace(/%.*/, ""), family: "ipv6" }).address
    : address;
}

/**
 * Listens for the owner at the port that `host` will have too. Whoever comes before `handOn` is turned away, as if
 * nobody listened yet.
 *
 * @param {string} host
 * @param {number} port 0: any that is free at both
 * @returns {Promise<import("node:net").Server>}
 */
export async function listenForOwner(host, port) {
  for (let tries = 1; ; tries++) {
    const own = await listenAt(OWNERS_HOST, port);
    if (port !== 0) return own;
    try {
      const there = await listenAt(host, portOf(own));
      await new Promise((resolve) => there.close(resolve));
      return own;
    } catch (cause) {
      own.close();
      if (tries === MAX_TRIES || /** @type {NodeJS.ErrnoException} */ (cause).code !== "EADDRINUSE")
        throw cause;
    }
  }
}

/**
 * Gives what arrives at one listener to an HTTP server, for which it is then a connection like its own: with the same
 * guard, the same times, and cut by `closeAllConnections`.
 *
 * @param {import("node:net").Server} own
 * @param {import("node:http").Server} server
 */
export function handOn(own, server) {
  own.maxConnections = server.maxConnections;
  own.removeAllListeners("connection");
  own.on("connection", (socket) => server.emit("connection", socket));
}

/** @param {import("node:net").Server} server one that listens */
export function portOf(server) {
  return /** @type {import("node:net").AddressInfo} */ (server.address()).port;
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<import("node:net").Server>}
 */
function listenAt(host, port) {
  return new Promise((resolve, reject) => {
    // As an HTTP server makes its own.
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => socket.destroy());
    server.once("error", reject);
    server.listen({ host, port }, () => resolve(server.off("error", reject)));
  });
}

/**
 * What the caller can do about an address or port that cannot be had; any other error as it is.
 *
 * @param {NodeJS.ErrnoException} cause
 * @param {string} host
 * @param {number} port
 */
export function listenError(cause, host, port) {
  switch (cause.code) {
    case "EADDRINUSE":
      return new UsageError(
        `port ${port} is in use by another program. Give another with --port N (0 takes any free one).`,
      );
    case "EACCES":
      return new UsageError(`port ${port} may not be used by this account. Give another with --port N.`);
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UsageError(
        `${host} is not an address of this machine. Give --host another, such as 127.0.0.1.`,
      );
    default:
      return cause;
  }
}
