import type { DoctorFinding } from "./doctor";
import type { RecordId, SessionId } from "./ids";

/** A secret in a session's logs. */
export type SecretFinding = {
  rule: string;
  /** What stands for it where it is redacted, without the brackets: the same for the same secret. */
  name: string;
  recordId: RecordId;
  /** Its place in the message's content, from 0; `null` outside of that. */
  block: number | null;
  /** The address of the field in the record, like `message.content[1].input.command`. */
  field: string;
  /** The line in the field's text, from 1. */
  line: number;
  /** Its first characters at the most, and how long it is. */
  preview: string;
};

/** A kind of secret, and how often it was found. `personal`: it names somebody, and opens nothing. */
export type SecretKind = { rule: string; title: string; personal: boolean; count: number; distinct: number };

/**
 * `GET /api/sessions/{id}/findings`. The findings are the first 2,000; of what is personal each is listed once. The
 * counts are of all.
 */
export type FindingsResponse = {
  findings: SecretFinding[];
  counts: Record<string, number>;
  kinds: SecretKind[];
};

/** The secrets of one kind, in all sessions or one, with the first 1,000 places. Of what is personal each is there once. */
export type DoctorSecrets = DoctorFinding & { personal: boolean; distinct: number };

/** `GET /api/doctor/secrets`: what in all sessions, or in one, would be redacted. Titles are. */
export type SecretsReport = {
  session: { id: SessionId; title: string } | null;
  bytes: number;
  kinds: DoctorSecrets[];
  /** Those that hold more than what is personal, most first; the counts by rule. */
  sessions: { id: SessionId; title: string; count: number; counts: Record<string, number> }[];
  unread: { file: string; message: string }[];
};
