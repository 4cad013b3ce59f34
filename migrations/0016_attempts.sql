-- What was said at each attempt, for whoever asks why an email did or did not arrive. Partitioned by week on the
-- email's id like everything else of an email, and gone with it.
CREATE TABLE attempts (
  organization_id text COLLATE "C" NOT NULL,
  email_id        uuid NOT NULL,
  id              uuid NOT NULL,
  position        smallint NOT NULL,
  attempt         smallint NOT NULL,
  -- How long it took, and when it ended.
  duration_ms     integer NOT NULL,
  created_at      timestamptz NOT NULL,
  next_attempt_at timestamptz,
  outcome         text COLLATE "C" NOT NULL
                  CHECK (outcome IN ('delivered', 'deferred', 'bounced', 'failed', 'rejected')),
  -- Null where nothing had to be explained.
  reason          text COLLATE "C",
  -- The rule of the failure policy that decided.
  rule            text COLLATE "C",
  mx_host         text,
  tls             text,
  -- The server's words, or ours where no server answered.
  detail          text,
  -- Commands and replies, one per line, without content and credentials; null where nobody was talked to.
  conversation    text CHECK (length(conversation) <= 2048),
  PRIMARY KEY (organization_id, email_id, id)
) PARTITION BY RANGE (email_id);

CREATE OR REPLACE FUNCTION ensure_email_partitions(moment timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  week  timestamptz := date_trunc('week', moment, 'UTC');
  parent text;
  part  text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('postrider.partitions'));
  FOREACH parent IN ARRAY
    ARRAY['emails', 'email_contents', 'email_attachments', 'recipients', 'events', 'attempts']
  LOOP
    part := parent || to_char(week AT TIME ZONE 'UTC', '"_p"YYYYMMDD');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, parent);
    IF parent IN ('emails', 'recipients') THEN
      EXECUTE format('ALTER TABLE %I SET (fillfactor = 85)', part);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                   parent, part, uuid_v7_floor(week), uuid_v7_floor(week + interval '7 days'));
  END LOOP;
END $$;

-- Every week that has emails.
SELECT ensure_email_partitions(to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC')
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'emails'::regclass;
