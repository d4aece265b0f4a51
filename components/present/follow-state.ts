import { randomHex } from "@/lib/client/connection/random-hex";
import { Listeners } from "@/lib/client/listeners";
import type { SessionId } from "@/lib/wire/ids";
import type { Presenting } from "@/lib/wire/presence";
import { forgetPresentation, keepPresentation, takePresentation } from "./left-presentation";
import { keepTabWindow, takeTabWindow } from "./tab-window";

/**
 * This window's role in the presentation. `left`: it has stopped following, and may follow again. `connection` counts
 * the streams of events on which it was reported, `losses` how often the server did not know any more what this window
 * presents.
 */
export type Following = {
  role: "none" | "presents" | "follows" | "left";
  presenting: Presenting | null;
  connection: number;
  losses: number;
};

/** Whether a session's page presents, follows or has left, from its own actions and what the server says. */
export class FollowState {
  readonly #sessionId: SessionId;
  #window: string | null = null;
  readonly #listeners = new Listeners();
  #state: Following = { role: "none", presenting: null, connection: 0, losses: 0 };
  #ownId = randomHex(12);
  /** The presentation that this window has left. */
  #left: string | null = null;
  /** Whether the server knows that this window presents. */
  #isKnown = false;
  #isNewStream = true;
  /** Whether this page goes on with what its tab presented before, and has not been told yet that it does. */
  #goesOn = false;

  constructor(sessionId: SessionId) {
    this.#sessionId = sessionId;
  }

  get = (): Following => this.#state;

  /**
   * This page's id on its stream: that of the page before it in its tab, if that showed the same session and did not
   * present it. So who presents counts a reader who reloads once, and whoever had stopped following is not drawn in again.
   * To be asked for in the browser alone.
   */
  get window(): string {
    if (this.#window === null) {
      const { window, left } = takeTabWindow(this.#sessionId) ?? { window: randomHex(12), left: null };
      this.#window = window;
      this.#left ??= left;
    }
    return this.#window;
  }

  /** The id of what this window presents, the same until it ends that: who has left it stays away after a break. */
  get presentation(): string {
    return this.#ownId;
  }

  subscribe = this.#listeners.add;

  /**
   * There is a new stream, on which the server reports the presentation again. A page that was reloaded, or that its tab
   * has come back to, goes on with what it presented: its readers are with it again.
   */
  connected(): void {
    this.#isNewStream = true;
    const kept = takePresentation(this.#sessionId);
    if (kept === null || this.#state.role === "presents") return;
    if (kept.goesOn) {
      this.present(kept.id);
      this.#goesOn = true;
      return;
    }
    // It may not have ended yet, and would take this page from where it was opened to where its own former one was.
    this.#left = kept.id;
    if (this.#state.presenting?.id === kept.id) this.leave();
  }

  /** The page goes: what it is known by stays with its tab. */
  keepWindow(): void {
    // What presents is known by what it presents, and its former page's end is not to end it.
    if (this.#state.role === "presents") return;
    const { window } = this;
    keepTabWindow(this.#sessionId, { window, left: this.#left });
  }

  /** The page goes, and with it what it presents, until its tab is back there. @returns whether it presents */
  leavePage(): boolean {
    const presents = this.#state.role === "presents";
    if (presents) keepPresentation(this.#sessionId, this.#ownId);
    return presents;
  }

  /**
   * Takes what the server says. Of a presentation of this window it may know nothing any more, since it was started anew
   * or the connection was broken for long; that goes on, and is only ended by another window that presents.
   * @returns whether that has ended this window's presentation
   */
  take(told: Presenting | null): boolean {
    const presenting = told?.position.sessionId === this.#sessionId ? told : null;
    const connection = this.#state.connection + Number(this.#isNewStream);
    this.#isNewStream = false;
    const isOwn = presenting?.window === this.window;
    const presented = this.#state.role === "presents";
    const wasReplaced = this.#isKnown || (this.#goesOn && told?.id !== this.#ownId);
    const wasEnded = presented && wasReplaced && told !== null && !isOwn;
    // A window that presented stays where it is.
    if (wasEnded) {
      this.#left = presenting?.id ?? null;
      forgetPresentation();
    }
    const presents = presented && !wasEnded;
    const losses = this.#state.losses + Number(presents && this.#isKnown && told === null);
    this.#goesOn &&= presents && !isOwn;
    this.#isKnown = presents && (isOwn || (this.#isKnown && told !== null));
    const other = presenting !== null && !isOwn;
    const role = presents ? "presents" : other ? (this.#left === presenting.id ? "left" : "follows") : "none";
    this.#set({ role, presenting: isOwn && !presents ? null : presenting, connection, losses });
    return wasEnded;
  }

  /** This window presents from now on, under a new name or the one that it had before. */
  present(presentation = randomHex(12)): void {
    forgetPresentation();
    this.#isKnown = false;
    this.#goesOn = false;
    this.#ownId = presentation;
    this.#set({ ...this.#state, role: "presents" });
  }

  /** This window presents no longer. */
  end(): void {
    if (this.#state.role !== "presents") return;
    forgetPresentation();
    this.#set({ ...this.#state, role: "none", presenting: null });
  }

  /** The reader stops following. */
  leave(): void {
    const { role, presenting } = this.#state;
    if (role !== "follows") return;
    this.#left = presenting?.id ?? null;
    this.#set({ ...this.#state, role: "left" });
  }

  rejoin(): void {
    if (this.#state.role !== "left") return;
    this.#left = null;
    this.#set({ ...this.#state, role: "follows" });
  }

  #set(state: Following): void {
    this.#state = state;
    this.#listeners.tell();
  }
}
