-- Which way mail leaves. An empty table: as the environment says.
CREATE TABLE transports (
  name     text COLLATE "C" PRIMARY KEY,
  kind     text NOT NULL CHECK (kind IN ('direct', 'relay')),
  -- As the API shows it.
  settings jsonb NOT NULL,
  -- Of a relay, sealed for the name.
  password bytea CHECK (password IS NULL OR kind = 'relay')
);

-- One row: the rules in order are one thing, and change as one.
CREATE TABLE route_table (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Counts changes, so that nobody overwrites what they have not seen.
  version    integer NOT NULL,
  rules      jsonb NOT NULL,
  changed_at timestamptz NOT NULL
);
INSERT INTO route_table (version, rules, changed_at) VALUES (0, '[]', now());

-- Which of the addresses that transports send from each worker has on its machine.
CREATE TABLE worker_sources (
  epoch     bigint PRIMARY KEY,
  addresses text[] NOT NULL
);
