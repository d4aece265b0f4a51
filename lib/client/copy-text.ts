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
