-- Organizations that are not, or no longer, in the first cell. Control has this; in other cells it stays empty.

CREATE TABLE organization_cells (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  cell            text COLLATE "C" NOT NULL CHECK (length(cell) BETWEEN 1 AND 40),
  -- It is on its way to another: nobody may act for it until it is there.
  is_moving       boolean NOT NULL DEFAULT false,
  -- Grows with every change of the table, so that processes ask for what is new.
  version         bigint NOT NULL
);

CREATE INDEX organization_cells_version ON organization_cells (version);

-- Workers of all cells, while there are several: a site's limit is divided among them.
CREATE UNLOGGED TABLE sending_workers (
  name      text COLLATE "C" PRIMARY KEY,
  -- Those that its machine has of the addresses that mail is sent from.
  addresses text[] NOT NULL,
  seen_at   timestamptz NOT NULL
);
