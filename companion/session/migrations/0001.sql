-- The first journal: games, what was accepted in them, positions to recover from, and commands that changed nothing.
CREATE TABLE games (
    game       INTEGER PRIMARY KEY,
    first_seq  INTEGER NOT NULL,
    started_ms INTEGER NOT NULL
) STRICT;

-- Append-only: an undo is an entry too. `seq` counts over all games, so a stale `base` never fits by chance.
CREATE TABLE entries (
    seq     INTEGER PRIMARY KEY,
    game    INTEGER NOT NULL REFERENCES games,
    kind    TEXT NOT NULL CHECK (kind IN ('setup', 'do', 'undo', 'redo')),
    body    TEXT NOT NULL,
    player  TEXT NOT NULL,
    verdict TEXT NOT NULL,
    cost    TEXT NOT NULL,
    message TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    client  TEXT,
    command TEXT,
    crc     INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX entries_by_command ON entries (client, command) WHERE client IS NOT NULL;

-- Positions after some entries: a recovery starts from the newest, going back starts from an older one.
CREATE TABLE snapshots (
    seq      INTEGER PRIMARY KEY REFERENCES entries,
    position TEXT NOT NULL
) STRICT;

-- Commands that changed nothing: a repeated id gets the same answer, also after a restart.
CREATE TABLE answers (
    number  INTEGER PRIMARY KEY,
    client  TEXT NOT NULL,
    command TEXT NOT NULL,
    reply   TEXT NOT NULL,
    UNIQUE (client, command)
) STRICT;
