/** Tokens by part, in whole numbers that add up to the request's; parts of none are left out. */
export type ContextParts = { [part: string]: number };

/**
 * What fills the window of each request, as numbers: a session may have 100,000 requests, of which an answer has a few.
 */
export class WindowParts {
  readonly #names: readonly string[];
  /** For each request where its parts begin, and how many it has. */
  readonly #from: Uint32Array;
  readonly #count: Uint16Array;
  /** Place and tokens, in turns. */
  #values = new Uint32Array(1024);
  #used = 0;

  /** @param names of the places, which may be added while requests are */
  constructor(names: readonly string[], requests: number) {
    this.#names = names;
    this.#from = new Uint32Array(requests);
    this.#count = new Uint16Array(requests);
  }

  /** Puts down a request's tokens by place, rounded so that they add up. Each request is put once. */
  put(request: number, tokens: readonly number[]): void {
    const from = this.#used;
    let exact = 0;
    let rounded = 0;
    for (const [place, count] of tokens.entries()) {
      exact += count;
      const part = Math.round(exact) - rounded;
      rounded += part;
      if (part > 0) this.#add(place, part);
    }
    this.#from[request] = from;
    this.#count[request] = (this.#used - from) / 2;
  }

  /** The parts of a request; none of one that was not put. */
  of(request: number): ContextParts {
    const parts: ContextParts = {};
    const from = this.#from[request] ?? 0;
    const end = from + (this.#count[request] ?? 0) * 2;
    for (let at = from; at < end; at += 2)
      parts[this.#names[this.#values[at] as number] as string] = this.#values[at + 1] as number;
    return parts;
  }

  #add(place: number, tokens: number): void {
    if (this.#used === this.#values.length) {
      const more = new Uint32Array(this.#values.length * 2);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.#used++] = place;
    this.#values[this.#used++] = tokens;
  }
}
