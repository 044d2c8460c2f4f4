-- The batches of a stream point backwards, and only one in a few is in an index: an entry in an
-- index of all batches lies on another page for each stream, and a commit writes whole pages.

CREATE TABLE chain (
    row      INTEGER PRIMARY KEY,
    stream   INTEGER NOT NULL REFERENCES streams (row),
    -- The seqs of the first and the last event in the batch.
    first    INTEGER NOT NULL CHECK (first > 0),
    last     INTEGER NOT NULL CHECK (last >= first),
    -- The row of the stream's batch before this one; NULL for its first.
    previous INTEGER,
    -- The bodies, with a line feed between each two.
    events   TEXT NOT NULL
) STRICT;

INSERT INTO chain SELECT row, stream, first, last,
    (SELECT before.row FROM batches AS before
        WHERE before.stream = batches.stream AND before.first < batches.first
        ORDER BY before.first DESC LIMIT 1),
    events
FROM batches ORDER BY row;

CREATE TABLE tails (
    stream  INTEGER PRIMARY KEY REFERENCES streams (row),
    -- The seq of the last event, and its hash.
    version INTEGER NOT NULL CHECK (version > 0),
    head    BLOB NOT NULL CHECK (length(head) = 32),
    -- The row of the stream's last batch.
    tail    INTEGER NOT NULL
) STRICT;

INSERT INTO tails SELECT stream, version, head,
    (SELECT row FROM batches WHERE batches.stream = heads.stream ORDER BY first DESC LIMIT 1)
FROM heads;

DROP TABLE batches;
ALTER TABLE chain RENAME TO batches;

-- The batches with a seq that 32 divides: no event is further from one of them.
CREATE UNIQUE INDEX batches_marked ON batches (stream, first) WHERE last / 32 > (first - 1) / 32;

DROP TABLE heads;
ALTER TABLE tails RENAME TO heads;

CREATE TRIGGER batches_stay BEFORE DELETE ON batches
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

CREATE TRIGGER batches_keep BEFORE UPDATE ON batches
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;

CREATE TRIGGER batches_follow BEFORE INSERT ON batches
WHEN NOT CASE
        WHEN NEW.previous IS NULL
        THEN NEW.first = 1 AND NOT EXISTS (SELECT 1 FROM heads WHERE stream = NEW.stream)
        ELSE EXISTS (SELECT 1 FROM heads
            WHERE stream = NEW.stream AND version = NEW.first - 1 AND tail = NEW.previous)
    END
    OR EXISTS (SELECT 1 FROM batches WHERE row = NEW.row)
BEGIN SELECT RAISE(ABORT, 'events follow each other'); END;

CREATE TRIGGER heads_stay BEFORE DELETE ON heads
BEGIN SELECT RAISE(ABORT, 'heads are never deleted'); END;

CREATE TRIGGER heads_keep BEFORE UPDATE OF stream ON heads
BEGIN SELECT RAISE(ABORT, 'a head stays with its stream'); END;

CREATE TRIGGER heads_grow BEFORE UPDATE ON heads
WHEN NEW.stream = OLD.stream AND (NEW.version <= OLD.version OR NEW.tail <= OLD.tail)
BEGIN SELECT RAISE(ABORT, 'a version never goes back'); END;

CREATE TRIGGER heads_begin BEFORE INSERT ON heads
WHEN EXISTS (SELECT 1 FROM heads WHERE stream = NEW.stream)
BEGIN SELECT RAISE(ABORT, 'heads are never replaced'); END;
