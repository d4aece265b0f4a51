import { z } from "zod";
import type { Health } from "@/lib/wire/library";
import { readPrices } from "./prices";

/** Where logs lie: a config folder (`~/.claude` and the like), or a log or folder of logs anywhere. */
export type RootFolder = { path: string; kind: "config" | "loose" };

/** What a server was started with. `dataDir`: where it keeps its own files; null: nowhere, all stays in memory. */
export type Config = {
  roots: RootFolder[];
  dataDir: string | null;
  /** Where what was read is kept; null: nowhere. */
  archiveDir: string | null;
  /** Where stars, notes and comments are kept; null: in memory alone. */
  annotationsDir: string | null;
  demo: boolean;
  /** With which `backscroll` reads what this server reads. */
  flags: string[];
  version: string;
  /** What tells this build from every other; empty for a development server. */
  build: string;
  /** What the command line found damaged in the data folder, and prices that cannot be used. */
  warnings: Health["warnings"];
};

const Warnings = z.array(
  z.object({ code: z.string(), message: z.string(), hint: z.string(), path: z.string().optional() }),
);
const Flags = z.array(z.string());
const Roots = z.array(z.object({ path: z.string().min(1), kind: z.enum(["config", "loose"]) }));

/**
 * What the command line told the server through the environment. Without BACKSCROLL_ROOTS there are
 * no roots: the server never looks at a home folder that nobody named.
 */
export function readConfig(): Config {
  const { env } = process;
  return {
    roots: env.BACKSCROLL_ROOTS ? Roots.parse(JSON.parse(env.BACKSCROLL_ROOTS)) : [],
    dataDir: env.BACKSCROLL_DATA_DIR || null,
    archiveDir: env.BACKSCROLL_ARCHIVE_DIR || null,
    annotationsDir: env.BACKSCROLL_ANNOTATIONS_DIR || null,
    flags: env.BACKSCROLL_FLAGS ? Flags.parse(JSON.parse(env.BACKSCROLL_FLAGS)) : [],
    demo: env.BACKSCROLL_DEMO === "1" || env.BACKSCROLL_DEMO === "true",
    // From package.json, by the command line.
    version: env.BACKSCROLL_VERSION || "development",
    build: env.BACKSCROLL_BUILD || "",
    warnings: [
      ...(env.BACKSCROLL_WARNINGS ? Warnings.parse(JSON.parse(env.BACKSCROLL_WARNINGS)) : []),
      ...[readPrices(env.BACKSCROLL_PRICES || null).warning].filter((warning) => warning !== null),
    ],
  };
}
