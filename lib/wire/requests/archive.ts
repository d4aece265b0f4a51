import { z } from "zod";

/** The body of `PUT archive/settings`. */
export const ArchiveSettingsBody = z.object({
  enabled: z.boolean(),
  leftOut: z.array(z.string().min(1).max(4096)).max(1000),
  maxStoredBytes: z.number().int().positive().nullable(),
  maxAgeDays: z.number().int().positive().max(100_000).nullable(),
});
