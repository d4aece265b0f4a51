/** What the server says about itself. `done` only when every indexed field is searchable. */
export type Health = {
  version: string;
  indexing: {
    phase: "listing" | "scanning" | "done";
    filesDone: number;
    filesTotal: number;
    bytesDone: number;
    bytesTotal: number;
    /** Journals and lines of files that hold no message. */
    recordsOutsideSessions: number;
    done: boolean;
  };
  watching: { folders: number; polled: number };
  warnings: { code: string; message: string; hint: string; path?: string }[];
  /** Where logs are looked for, as given or found. */
  roots: string[];
  demo: boolean;
};

/** The body of every answer that is not 2xx. */
export type ErrorBody = { error: { code: string; message: string; hint: string; path?: string } };
