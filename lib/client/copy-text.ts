/** Puts text on the clipboard; `false` when the browser does not let us. */
export async function copyText(text: string): Promise<boolean> {
  // Plain-http addresses other than loopback have no clipboard API.
  if (!navigator.clipboard) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (cause) {
    if (cause instanceof DOMException) return copyBySelection(text);
    throw cause;
  }
}

/**
 * Puts a text on the clipboard that is still being read, `null` for none. To be called in the event of the press itself:
 * Safari (26) takes what it is promised there, and refuses what is written a second later.
 * @returns `false` when the browser does not let us, `null` when there is no text
 */
export async function copyAwaited(reading: Promise<string | null>): Promise<boolean | null> {
  const isTaken = await promiseText(reading);
  const text = await reading;
  if (text === null) return null;
  return isTaken || copyText(text);
}

/** Promises the browser a text. Gives whether it took it; a browser that takes no promises does not, nor one without text. */
async function promiseText(reading: Promise<string | null>): Promise<boolean> {
  if (!navigator.clipboard?.write || typeof ClipboardItem === "undefined") return false;
  const blob = reading.then((text) => {
    if (text === null) throw new DOMException("No text", "DataError");
    return new Blob([text], { type: "text/plain" });
  });
  // The browser may refuse before it has looked at it.
  blob.catch(() => undefined);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    return false;
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  // Inside an open dialog, whose focus trap would take the selection away from the body.
  const host = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  host.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}
