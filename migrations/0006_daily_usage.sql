-- How many recipients an organization was accepted for on each UTC day: what the sending limit is counted by.

CREATE TABLE daily_usage (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  day             date NOT NULL,
  recipients      integer NOT NULL CHECK (recipients >= 0),
  PRIMARY KEY (organization_id, day)
) WITH (fillfactor = 50);
