-- A cell is all of a run's key but the seed; a study is an ordered choice of cells with a range of seeds.
CREATE TABLE IF NOT EXISTS cells (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  problem TEXT NOT NULL,
  method TEXT NOT NULL,
  parameters TEXT NOT NULL,
  results_version INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS studies (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  results_version INTEGER NOT NULL,
  recorded REAL NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS study_cells (
  study INTEGER NOT NULL REFERENCES studies(id),
  cell INTEGER NOT NULL REFERENCES cells(id),
  position INTEGER NOT NULL,
  problem_name TEXT NOT NULL,
  method_name TEXT NOT NULL,
  first_seed INTEGER NOT NULL,
  seeds INTEGER NOT NULL,
  PRIMARY KEY (study, cell)
) STRICT, WITHOUT ROWID;

-- A run that is missing has no row. 'retry' failed, but may be tried again; 'failed' may not.
CREATE TABLE IF NOT EXISTS runs (
  cell INTEGER NOT NULL REFERENCES cells(id),
  seed INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('done', 'retry', 'failed')),
  attempts INTEGER NOT NULL,
  cost REAL,
  size INTEGER,
  gap REAL,
  seconds REAL,
  processor_seconds REAL,
  finished REAL NOT NULL,
  reason TEXT,
  PRIMARY KEY (cell, seed)
) STRICT, WITHOUT ROWID;

-- Apart from runs, so that counting and averaging never read a document.
CREATE TABLE IF NOT EXISTS documents (
  cell INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  checksum TEXT NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (cell, seed),
  FOREIGN KEY (cell, seed) REFERENCES runs(cell, seed)
) STRICT;

-- The driver that works on the store, or was the last to do so.
CREATE TABLE IF NOT EXISTS driver (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  host TEXT NOT NULL,
  process INTEGER NOT NULL,
  workers INTEGER NOT NULL,
  started REAL NOT NULL
) STRICT;
