/** What of a key's event says whether it is the page's. */
type Pressed = Pick<KeyboardEvent, "altKey" | "ctrlKey" | "metaKey">;

/** Whether a key is pressed with one that makes it the browser's or the system's: Alt and Left is Back. */
export function hasModifier({ altKey, ctrlKey, metaKey }: Pressed): boolean {
  return altKey || ctrlKey || metaKey;
}

/** For dialogs: Escape that gives up an input method's suggestion closes nothing. */
export function keepWhileComposing(event: KeyboardEvent): void {
  if (event.isComposing) event.preventDefault();
}
