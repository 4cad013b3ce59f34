-- Keys that must stay the same when the master key changes; sealed with it, bound to their name.
CREATE TABLE data_keys (
  name   text COLLATE "C" PRIMARY KEY,
  sealed bytea NOT NULL
);
