/**
 * Which lines or hunk the reader has been taken to, by the place that the address names: it stays in the address, and
 * their row leaves the page and comes back into it, but a reader who has gone on is not taken there again.
 */
export class LinkedLines {
  #at: string | null = null;

  isReached = (at: string): boolean => at === this.#at;

  reach = (at: string): void => {
    this.#at = at;
  };
}
