-- Many games: they have names and may branch off others; a game is gone on with by an entry of kind `open`. Entries
-- are numbered within their game too, so that a missing one shows; kept positions have a checksum.
ALTER TABLE games ADD COLUMN name TEXT NOT NULL DEFAULT '';
-- The game that this one branched off, and after how many of its steps; that game may be deleted since.
ALTER TABLE games ADD COLUMN parent INTEGER;
ALTER TABLE games ADD COLUMN parent_steps INTEGER;

-- A CHECK can't be changed in place (sqlite.org/lang_altertable.html, 7).
CREATE TABLE entries_2 (
    seq     INTEGER PRIMARY KEY,
    game    INTEGER NOT NULL REFERENCES games,
    kind    TEXT NOT NULL CHECK (kind IN ('setup', 'do', 'undo', 'redo', 'open')),
    body    TEXT NOT NULL,
    player  TEXT NOT NULL,
    verdict TEXT NOT NULL,
    cost    TEXT NOT NULL,
    message TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    client  TEXT,
    command TEXT,
    crc     INTEGER NOT NULL,
    step    INTEGER NOT NULL
) STRICT;
INSERT INTO entries_2
    SELECT seq, game, kind, body, player, verdict, cost, message, at_ms, client, command, crc,
           row_number() OVER (PARTITION BY game ORDER BY seq) - 1
    FROM entries;
DROP TABLE entries;
ALTER TABLE entries_2 RENAME TO entries;
CREATE UNIQUE INDEX entries_by_command ON entries (client, command) WHERE client IS NOT NULL;
CREATE UNIQUE INDEX entries_by_game ON entries (game, step);

-- NULL: kept before there were checksums.
ALTER TABLE snapshots ADD COLUMN crc INTEGER;
