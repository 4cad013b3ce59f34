-- Creates the partitions of the week that contains `moment`, where they are missing. Each table is created first and attached
-- then, which keeps the lock on the parent from blocking readers and writers.
CREATE OR REPLACE FUNCTION ensure_email_partitions(moment timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  week  timestamptz := date_trunc('week', moment, 'UTC');
  parent text;
  part  text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('postrider.partitions'));
  FOREACH parent IN ARRAY
    ARRAY['emails', 'email_contents', 'email_attachments', 'recipients', 'events', 'attempts', 'moved_contents']
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
