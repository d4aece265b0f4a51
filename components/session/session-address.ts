import type { SetThreadUrl, ThreadUrl } from "@/lib/client/address/session-url";

/** The address as it was read last, with what has been written to it since. */
export type Address = { get: () => ThreadUrl; set: SetThreadUrl };

/** Two changes in one frame both count: what is written is read again before the page is drawn with it. */
export class WrittenAddress implements Address {
  #url: ThreadUrl;
  #write: SetThreadUrl;

  constructor(url: ThreadUrl, write: SetThreadUrl) {
    this.#url = url;
    this.#write = write;
  }

  get = (): ThreadUrl => this.#url;

  set: SetThreadUrl = (change, how) => {
    this.#url = { ...this.#url, ...change };
    this.#write(change, how);
  };

  read(url: ThreadUrl, write: SetThreadUrl): void {
    this.#url = url;
    this.#write = write;
  }
}
