import type { Storage } from "./storage";

/** Keeps the files in `files`. */
export function memoryStorage(): Storage & { files: Map<string, string> } {
  const files = new Map<string, string>();
  return {
    files,
    open(path) {
      const parts: string[] = [];
      return {
        append(text) {
          parts.push(text);
          return Buffer.byteLength(text);
        },
        close: () => void files.set(path, parts.join("")),
      };
    },
  };
}
