import { schemaNumber } from '../../ports/log/lift.ts'

// The whole of it fits on the file's first page; salvage counts on that when the page itself is damaged.
// `record` is the text that `hash` covers. An event over 64 KiB has `@<digest>` on the line before, and its short form.

/** Says that a file is a log of ours: `Rope`. What was written before the first release does not say it. */
export const applicationId = 0x52_6f_70_65

export const schemaSql = `
CREATE TABLE events(position INTEGER PRIMARY KEY, delivery TEXT, version INTEGER, type TEXT, story TEXT, hash TEXT, record TEXT, UNIQUE(delivery, version));
CREATE TABLE deliveries(delivery TEXT PRIMARY KEY, version INTEGER, head TEXT, repository TEXT, title TEXT, requestedAt INTEGER, updatedAt INTEGER, result TEXT) WITHOUT ROWID;
CREATE TABLE leases(delivery TEXT PRIMARY KEY, fence INTEGER, worker TEXT, expiresAt INTEGER, host TEXT, pid INTEGER, born TEXT) WITHOUT ROWID;
CREATE TABLE slots(delivery TEXT, holder TEXT, kind TEXT, usd REAL, PRIMARY KEY(delivery, holder, kind)) WITHOUT ROWID;
CREATE TABLE proofs(repository TEXT, tree TEXT, command TEXT, environmentKey TEXT, delivery TEXT, version INTEGER, durationMs INTEGER, outputDigest TEXT, counts TEXT, PRIMARY KEY(repository, tree, command, environmentKey)) WITHOUT ROWID;
CREATE TABLE days(day TEXT PRIMARY KEY, usd REAL, tokens INTEGER, ms INTEGER) WITHOUT ROWID;
CREATE TABLE refusals(account TEXT, model TEXT, since INTEGER, until INTEGER, kind TEXT, message TEXT, remedy TEXT, PRIMARY KEY(account, model)) WITHOUT ROWID;
CREATE TABLE snapshots(delivery TEXT, shape TEXT, version INTEGER, state TEXT, PRIMARY KEY(delivery, shape));
CREATE TABLE cursors(listener TEXT PRIMARY KEY, position INTEGER) WITHOUT ROWID;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaNumber};`
