import { z } from "zod";
import { ID_PATTERN } from "../ids";
import { LEFT_OUT, SHARE_TIMES } from "../shares";
import { sessionId, textLike } from "./values";

/**
 * The body of `POST shares`. `place`: what the owner's address has behind the session's path, as `?branch=…&at=…#…`.
 * `except`: names of secrets that stay, like `email 2`. `without`: what its readers do not get. `comments`: whoever has
 * the link reads and writes comments.
 */
export const ShareBody = z.object({
  sessionId,
  expiresInMs: z.number().int().min(SHARE_TIMES.least).max(SHARE_TIMES.most).default(SHARE_TIMES.default),
  redact: z.boolean().default(true),
  except: z
    .array(z.string().regex(/^[a-z0-9-]{1,40} \d{1,7}$/))
    .max(500)
    .default([]),
  without: z
    .array(z.enum(LEFT_OUT))
    .max(20)
    .default([])
    .transform((names) => LEFT_OUT.filter((name) => names.includes(name))),
  place: z
    .string()
    .max(30_000)
    .regex(/^([?#][^\s]*)?$/, "the part of an address from ? or # on")
    .default(""),
  comments: z.boolean().default(false),
});

/** `shares/{id}` */
export const SharePath = z.object({ id: textLike(ID_PATTERN, "a share's id") });
