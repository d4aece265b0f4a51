import type { DoctorPlace } from "./doctor";
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

/** The secrets of one kind in several sessions, with the first places. */
export type DoctorSecrets = SecretKind & { files: number; places: DoctorPlace[] };

/** `GET /api/doctor/secrets`: what of all sessions, or of one, would be redacted. */
export type SecretsReport = {
  session: { id: SessionId; title: string } | null;
  files: number;
  bytes: number;
  kinds: DoctorSecrets[];
  /** Those in which something was found that is not personal, most first. */
  sessions: { id: SessionId; title: string; count: number; counts: Record<string, number> }[];
  unread: { file: string; message: string }[];
};
