/** What was copied in a test that copies into it, in order. */
export const copiedTexts: string[] = [];

/**
 * In place of the clipboard, for `vi.mock`:
 * `vi.mock("@/lib/client/copy-text", async () => (await import("@/lib/testing/copied-texts")).COPY_MODULE)`.
 */
export const COPY_MODULE = {
  copyText: async (text: string): Promise<true> => {
    copiedTexts.push(text);
    return true;
  },
  copyAwaited: async (reading: Promise<string | null>): Promise<true | null> => {
    const text = await reading;
    if (text === null) return null;
    copiedTexts.push(text);
    return true;
  },
};
