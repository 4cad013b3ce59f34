-- How far mail from before has got the hashes that a search goes by now. The row is there until all of it has; a database
-- without mail needs none. The hour is for processes of the version before, which still store mail without them.
CREATE TABLE search_backfill (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  due_at timestamptz NOT NULL,
  -- The week that is gone through, newest first, and the last email of it that is done; null before the first.
  week text,
  organization_id text,
  email_id uuid
);

INSERT INTO search_backfill (due_at)
SELECT now() + interval '1 hour' WHERE EXISTS (SELECT FROM emails);
