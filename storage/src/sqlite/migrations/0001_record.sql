-- Rows are named by integers inside the database: they are a third of a UUID's size in every index.

CREATE TABLE streams (
    row        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL CHECK (length(id) = 16),
    kind       TEXT NOT NULL,
    -- The place in the list of public streams, from 1; NULL for a private stream.
    listed     INTEGER,
    secret     BLOB CHECK (length(secret) = 32),
    beside     TEXT NOT NULL,
    parent     INTEGER REFERENCES streams (row),
    -- RFC 3339, UTC.
    created_at TEXT NOT NULL,
    -- What every append replaces.
    version    INTEGER NOT NULL CHECK (version > 0),
    head       BLOB NOT NULL CHECK (length(head) = 32),
    status     TEXT NOT NULL,
    summary    TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX streams_by_id ON streams (id);
CREATE INDEX streams_by_parent ON streams (parent) WHERE parent IS NOT NULL;
-- One for each way to filter the list, so that no page costs more than its length.
CREATE UNIQUE INDEX streams_listed ON streams (listed) WHERE listed IS NOT NULL;
CREATE INDEX streams_listed_by_kind ON streams (kind, listed) WHERE listed IS NOT NULL;
CREATE INDEX streams_listed_by_status ON streams (status, listed) WHERE listed IS NOT NULL;
CREATE INDEX streams_listed_by_both ON streams (kind, status, listed) WHERE listed IS NOT NULL;

CREATE TABLE batches (
    row    INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams (row),
    -- The seqs of the first and the last event in the batch.
    first  INTEGER NOT NULL CHECK (first > 0),
    last   INTEGER NOT NULL CHECK (last >= first),
    -- The bodies, with a line feed between each two.
    events TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX batches_in_order ON batches (stream, first);

CREATE TABLE answers (
    row         INTEGER PRIMARY KEY,
    stream      INTEGER NOT NULL REFERENCES streams (row),
    scope       TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    status      INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    body        TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX answers_by_key ON answers (stream, scope, key);

CREATE TABLE tokens (
    row     INTEGER PRIMARY KEY,
    hash    BLOB NOT NULL CHECK (length(hash) = 32),
    stream  INTEGER NOT NULL REFERENCES streams (row),
    role    TEXT NOT NULL,
    seat    INTEGER,
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX tokens_by_hash ON tokens (hash);
CREATE INDEX tokens_by_stream ON tokens (stream);

-- What the readiness check writes.
CREATE TABLE probe (
    row   INTEGER PRIMARY KEY CHECK (row = 1),
    noise BLOB NOT NULL
) STRICT;

INSERT INTO probe VALUES (1, x'');

-- Nothing is taken back, whatever program opens the file. The triggers before an insert are there
-- because INSERT OR REPLACE deletes without asking the triggers for deletion.

CREATE TRIGGER streams_stay BEFORE DELETE ON streams
BEGIN SELECT RAISE(ABORT, 'streams are never deleted'); END;

CREATE TRIGGER streams_keep
BEFORE UPDATE OF row, id, kind, listed, secret, beside, parent, created_at ON streams
BEGIN SELECT RAISE(ABORT, 'streams keep what they were created with'); END;

CREATE TRIGGER streams_grow BEFORE UPDATE OF version ON streams
WHEN NEW.version <= OLD.version
BEGIN SELECT RAISE(ABORT, 'a version never goes back'); END;

CREATE TRIGGER streams_begin BEFORE INSERT ON streams
WHEN EXISTS (SELECT 1 FROM streams WHERE row = NEW.row OR id = NEW.id OR listed = NEW.listed)
BEGIN SELECT RAISE(ABORT, 'streams are never replaced'); END;

CREATE TRIGGER batches_stay BEFORE DELETE ON batches
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

CREATE TRIGGER batches_keep BEFORE UPDATE ON batches
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;

CREATE TRIGGER batches_follow BEFORE INSERT ON batches
WHEN NEW.first <> 1 + ifnull(
        (SELECT last FROM batches WHERE stream = NEW.stream ORDER BY first DESC LIMIT 1), 0)
    OR EXISTS (SELECT 1 FROM batches WHERE row = NEW.row)
BEGIN SELECT RAISE(ABORT, 'events follow each other'); END;

CREATE TRIGGER answers_stay BEFORE DELETE ON answers
BEGIN SELECT RAISE(ABORT, 'answers are never deleted'); END;

CREATE TRIGGER answers_keep BEFORE UPDATE ON answers
BEGIN SELECT RAISE(ABORT, 'answers are never changed'); END;

CREATE TRIGGER answers_begin BEFORE INSERT ON answers
WHEN EXISTS (SELECT 1 FROM answers WHERE row = NEW.row)
    OR EXISTS (SELECT 1 FROM answers WHERE (stream, scope, key) = (NEW.stream, NEW.scope, NEW.key))
BEGIN SELECT RAISE(ABORT, 'answers are never replaced'); END;

CREATE TRIGGER tokens_stay BEFORE DELETE ON tokens
BEGIN SELECT RAISE(ABORT, 'tokens are never deleted'); END;

CREATE TRIGGER tokens_keep BEFORE UPDATE OF row, hash, stream, role, seat ON tokens
BEGIN SELECT RAISE(ABORT, 'tokens are never changed'); END;

CREATE TRIGGER tokens_end BEFORE UPDATE OF revoked ON tokens WHEN OLD.revoked = 1
BEGIN SELECT RAISE(ABORT, 'a revoked token stays revoked'); END;

CREATE TRIGGER tokens_begin BEFORE INSERT ON tokens
WHEN EXISTS (SELECT 1 FROM tokens WHERE row = NEW.row OR hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'tokens are never replaced'); END;
