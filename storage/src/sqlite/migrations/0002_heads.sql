-- What every append changes, apart from what a stream keeps: heads are so small that those of all
-- streams that are being written to lie on a few pages, and a commit writes whole pages.

CREATE TABLE heads (
    stream  INTEGER PRIMARY KEY REFERENCES streams (row),
    -- The seq of the last event, and its hash.
    version INTEGER NOT NULL CHECK (version > 0),
    head    BLOB NOT NULL CHECK (length(head) = 32)
) STRICT;

INSERT INTO heads SELECT row, version, head FROM streams;

DROP TRIGGER streams_grow;
ALTER TABLE streams DROP COLUMN version;
ALTER TABLE streams DROP COLUMN head;

CREATE TRIGGER heads_stay BEFORE DELETE ON heads
BEGIN SELECT RAISE(ABORT, 'heads are never deleted'); END;

CREATE TRIGGER heads_keep BEFORE UPDATE OF stream ON heads
BEGIN SELECT RAISE(ABORT, 'a head stays with its stream'); END;

CREATE TRIGGER heads_grow BEFORE UPDATE OF version ON heads
WHEN NEW.version <= OLD.version
BEGIN SELECT RAISE(ABORT, 'a version never goes back'); END;

CREATE TRIGGER heads_begin BEFORE INSERT ON heads
WHEN EXISTS (SELECT 1 FROM heads WHERE stream = NEW.stream)
BEGIN SELECT RAISE(ABORT, 'heads are never replaced'); END;
