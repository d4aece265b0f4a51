/** Data of images and PDFs in an address: what a page, a style sheet or a command's output holds of them. */
const DATA_ADDRESS =
  /data:(?:image\\*\/[\w.+-]+|application\\*\/pdf)(?:;[\w.=-]+)*;base64,(?:[A-Za-z0-9+/=]|\\+\/)*/g;
/**
 * The same as bare base64, known by its first bytes: PNG, JPEG, GIF, WebP and PDF. In a text that holds JSON, breaks and
 * slashes may be escaped.
 */
const BARE =
  /(?<![A-Za-z0-9+/])(?:iVBORw0KGgo|\/9j\/|\\\/9j\\\/|R0lGOD[dl]h|UklGR|JVBERi0)(?:[A-Za-z0-9+/=]|\\+[/nr]|[\r\n]){40,}/g;
/** What no text without an image has; a text with one of these is read, and mostly stays. */
const MAY_BE = /base64|"(?:image|document|pdf)|image_data|iVBORw0KGgo|\/9j\\*\/|R0lGOD|UklGR|JVBERi0/;
/** So much base64 in one piece is hardly anything but a file. */
const LONG_BASE64 = /[A-Za-z0-9+/]{200}/;

/** Whether a text may hold an image or a PDF: others need not be read. */
export function mayHoldImageBytes(text: string): boolean {
  return MAY_BE.test(text);
}

/** Whether what cannot be read as JSON may be the rest of an image, of which the beginning is lost. */
export function mayBeRestOfImage(text: string): boolean {
  return LONG_BASE64.test(text);
}

/** A text with a word in the place of each image and PDF that it holds as base64. */
export function withoutImageBytes(text: string): string {
  return text.replace(DATA_ADDRESS, "[image]").replace(BARE, "[image]");
}

/** Fields that hold the data of an object that is an image: an MCP server's answer, a notebook's output. */
const DATA_FIELDS = ["data", "base64", "blob", "image_data"] as const;
const IMAGE_TYPE = /^(?:image|document|pdf)$|^image\/|^application\/pdf$/;

/** Empties an object that says of itself that it is an image or a document, in whatever form. */
export function emptyImageFields(fields: Record<string, unknown>): void {
  const { type, mimeType, media_type } = fields;
  if (![type, mimeType, media_type].some((one) => typeof one === "string" && IMAGE_TYPE.test(one))) return;
  for (const name of DATA_FIELDS) if (typeof fields[name] === "string") fields[name] = "[image]";
}
