/**
 * The open connections of a server, of which there are so many at the most: who comes then takes the place of the one
 * that has waited longest for its next request. Whoever may connect can hold connections open, silent or in the middle
 * of an answer that they do not read; the owner's page gets through all the same.
 */
export class Connections {
  /** Between two requests, or before the first; whoever has waited longest comes first. */
  #waiting = /** @type {Set<Socket>} */ (new Set());
  /** In a request of somebody who has not shown the owner's token; the longest comes first. */
  #others = /** @type {Set<Socket>} */ (new Set());
  /** In a request of the owner, which nothing ends for another one. */
  #owners = /** @type {Set<Socket>} */ (new Set());
  /** How many requests of a connection are unanswered: a client may send several at once. */
  #unanswered = /** @type {WeakMap<Socket, number>} */ (new WeakMap());
  #max;

  /**
   * @param {import("node:http").Server} server
   * @param {number} max
   */
  constructor(server, max) {
    this.#max = max;
    // Those whose place was taken are closed a moment later.
    server.maxConnections = max + SPARE;
    server.on("connection", (socket) => this.#take(socket));
  }

  /**
   * A request has arrived.
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @param {boolean} isOwners it carries the owner's token
   */
  serve({ socket }, response, isOwners) {
    if (socket.destroyed) return;
    this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 0) + 1);
    this.#waiting.delete(socket);
    if (isOwners) {
      this.#others.delete(socket);
      this.#owners.add(socket);
    } else if (!this.#owners.has(socket)) this.#others.add(socket);
    response.once("close", () => this.#answered(socket));
  }

  /** @param {Socket} socket */
  #take(socket) {
    this.#waiting.add(socket);
    socket.once("close", () => this.#forget(socket));
    if (this.#waiting.size + this.#others.size + this.#owners.size <= this.#max) return;
    const [longest] = this.#waiting;
    const leaves = longest === socket ? (this.#others.values().next().value ?? socket) : longest;
    if (leaves) this.#forget(leaves).destroy();
  }

  /** @param {Socket} socket */
  #answered(socket) {
    const left = (this.#unanswered.get(socket) ?? 1) - 1;
    this.#unanswered.set(socket, left);
    if (left > 0 || socket.destroyed) return;
    this.#forget(socket);
    this.#waiting.add(socket);
  }

  /** @param {Socket} socket */
  #forget(socket) {
    for (const sockets of [this.#waiting, this.#others, this.#owners]) sockets.delete(socket);
    return socket;
  }
}

/** @typedef {import("node:net").Socket} Socket */

/** How many more there may be for a moment. */
const SPARE = 100;
