import { z } from "zod";
import { ID_PATTERN } from "../ids";
import {
  type Checked,
  pageParameters,
  recordId,
  sessionId,
  textLike,
  wholeNumber,
  zeroOrOne,
} from "./values";

/** Lines from 1, both ends included: `12-40`. */
const lines = textLike("[1-9]\\d{0,8}-[1-9]\\d{0,8}", "line numbers, like 12-40").transform((range) => {
  const [from = 1, to = 1] = range.split("-").map(Number);
  return { from, to };
});

/** `sessions/{id}/…` */
export const SessionPath = z.object({ id: sessionId });
/** `…/records/{recordId}` and `…/calls/{recordId}` */
export const RecordPath = z.object({ recordId });
/** `…/records/{recordId}/blobs/{n}` */
export const BlobPath = z.object({ recordId, n: wholeNumber(0, 100_000) });

/** `…/extras/{extraId}` */
export const ExtraPath = z.object({
  extraId: textLike("[0-9a-f]{12}", "an id that the list of extras gave out"),
});

/** `…/originals`: which there are, or the bytes of one. */
export const OriginalsRequest = z.object({ path: z.string().max(4096).nullable().default(null) });

/** `…/related`; all of them where no limit is given. */
export const RelatedRequest = z.object({
  limit: wholeNumber(1, 1000).nullable().default(null),
  cursor: pageParameters.cursor,
});

/** `…/calls/{recordId}`. `original`: lines of the file as it was before the call. */
export const CallRequest = z.object({
  block: wholeNumber(0, 100_000).default(0),
  original: lines.nullable().default(null),
});

/** `…/records/{recordId}`. `raw`: the line's bytes. */
export const RecordRequest = z.object({
  raw: zeroOrOne("0"),
});

/** `…/messages` */
export const MessagesRequest = z.object({ at: textLike(ID_PATTERN, "a record id, uuid or tool-use id") });

/** Which page of the related sessions is asked for. */
export type RelatedPage = Checked<typeof RelatedRequest>;
