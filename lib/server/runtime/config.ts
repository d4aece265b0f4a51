import { z } from "zod";
import type { Health } from "@/lib/wire/health";

/** Where logs lie: a config folder (`~/.claude` and the like), or a log or folder of logs anywhere. */
export type RootFolder = { path: string; kind: "config" | "loose" };

export type Config = {
  roots: RootFolder[];
  dataDir: string | null;
  demo: boolean;
  version: string;
  /** What the command line found damaged in the data folder. */
  warnings: Health["warnings"];
};

const Warnings = z.array(
  z.object({ code: z.string(), message: z.string(), hint: z.string(), path: z.string().optional() }),
);
const Roots = z.array(z.object({ path: z.string().min(1), kind: z.enum(["config", "loose"]) }));

/**
 * What the command line told the server through the environment. Without BACKSCROLL_ROOTS there are
 * no roots: the server never looks at a home folder that nobody named.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return {
    roots: env.BACKSCROLL_ROOTS ? Roots.parse(JSON.parse(env.BACKSCROLL_ROOTS)) : [],
    dataDir: env.BACKSCROLL_DATA_DIR || null,
    demo: env.BACKSCROLL_DEMO === "1" || env.BACKSCROLL_DEMO === "true",
    // From package.json, by the command line.
    version: env.BACKSCROLL_VERSION || "development",
    warnings: env.BACKSCROLL_WARNINGS ? Warnings.parse(JSON.parse(env.BACKSCROLL_WARNINGS)) : [],
  };
}
