/** What of a key's event says whether it is the page's. */
type Pressed = Pick<KeyboardEvent, "altKey" | "ctrlKey" | "metaKey">;

/** Whether a key is pressed with one that makes it the browser's or the system's: Alt and Left is Back. */
export function hasModifier({ altKey, ctrlKey, metaKey }: Pressed): boolean {
  return altKey || ctrlKey || metaKey;
}

/** Whether this is a machine of Apple's, whose keyboards have ⌘ and Option. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/**
 * Whether a key is pressed with one that only says which character is meant: many keyboards write brackets and braces with
 * AltGr, which Windows reports as Ctrl and Alt, and those of Apple with Option, which is reported as Alt.
 */
export function isComposed(event: Pick<KeyboardEvent, "key" | "getModifierState"> & Pressed): boolean {
  if (event.getModifierState("AltGraph")) return true;
  const isOption = event.altKey && !event.ctrlKey && !event.metaKey;
  return isOption && /^[^\p{L}\p{N}]$/u.test(event.key) && isApple();
}

/** The code that a key has while an input method takes it, whichever key it is. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Whether a key is an input method's: Enter takes its suggestion, and Escape gives it up. Safari ends what is composed
 * before it tells of the key that ends it (WebKit bug 165004): that one is known by its code alone.
 */
export function isForInputMethod(event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD;
}

/** For dialogs: Escape that gives up an input method's suggestion closes nothing. */
export function keepWhileComposing(event: KeyboardEvent): void {
  if (isForInputMethod(event)) event.preventDefault();
}
