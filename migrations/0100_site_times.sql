-- How long the last deliveries to each site took that it accepted at the first attempt: what the next one is expected to take.
-- Sites are the installation's, and so is this. A sample, not a record: a worker that is killed loses what it had not
-- written yet.
CREATE TABLE site_times (
  site       text PRIMARY KEY,
  -- In milliseconds from the time it was accepted or scheduled for, oldest first.
  took       integer[] NOT NULL,
  changed_at timestamptz NOT NULL
);
