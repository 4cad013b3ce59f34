-- Complaints by the hour in which their email was accepted. Not a column of hourly_counts: what comes in with one
-- report moves both, and two transactions that move rows of one table twice could wait for each other for ever.
ALTER TABLE hourly_counts DROP COLUMN complained;

CREATE TABLE complaint_counts (
  organization_id text COLLATE "C" NOT NULL,
  hour            timestamptz NOT NULL,
  complaints      integer NOT NULL,
  PRIMARY KEY (organization_id, hour)
);
