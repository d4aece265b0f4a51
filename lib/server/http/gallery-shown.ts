/** Whether this server shows the gallery of rows: in development, and where a test asks for it. */
export function galleryShown(): boolean {
  return process.env.NODE_ENV === "development" || process.env.BACKSCROLL_GALLERY === "1";
}
