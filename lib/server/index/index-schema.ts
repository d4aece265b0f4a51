import { SHARES } from "./share-store";

/** Raise it with every change of what is stored, of how texts are taken from records, or of signatures. */
export const SCHEMA_VERSION = 7;

/**
 * `sessions`: what a start needs. `skeletons`: their tables in parts, which may lag behind the sessions'
 * entries; apart, since SQLite writes a row whole. `chunks`: searchable texts of a session, some 32 KiB a row,
 * with the signature that says which words cannot stand in them. `shares`: see there. Every row carries a checksum of its own,
 * and a chunk's id is never given out twice, so that a search can keep signatures in memory.
 */
export const SCHEMA = `
  CREATE TABLE sessions(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, inode TEXT NOT NULL,
    entry TEXT NOT NULL, sum INTEGER NOT NULL
  );
  CREATE INDEX sessions_inode ON sessions(inode);
  CREATE TABLE skeletons(
    session INTEGER NOT NULL, part INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL
  );
  CREATE UNIQUE INDEX skeletons_session ON skeletons(session, part);
  CREATE TABLE chunks(
    id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, sum INTEGER NOT NULL,
    signature BLOB NOT NULL, places TEXT NOT NULL, texts BLOB NOT NULL
  );
  CREATE INDEX chunks_session ON chunks(session);
  ${SHARES}
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
