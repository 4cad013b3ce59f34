-- Content of emails that was moved to object storage: which object it is, and what opens it. The email has a row here or one
-- in email_contents, never both: whoever knows nothing of this table finds no content, and never an empty one.
CREATE TABLE moved_contents (
  organization_id text COLLATE "C" NOT NULL,
  email_id        uuid NOT NULL,
  -- Made anew whenever content is moved: an object that is to be removed is never the one that is in use.
  object_id       uuid NOT NULL,
  -- Of this object alone: without this row it is noise, whoever still has a copy of it.
  seal_key        bytea NOT NULL,
  -- Of the content, without its files.
  content_bytes   integer NOT NULL,
  -- That a message brought along which was submitted whole.
  message_id      text,
  PRIMARY KEY (organization_id, email_id)
) PARTITION BY RANGE (email_id);

-- What every email has that has content.
CREATE VIEW kept_contents AS
SELECT organization_id, email_id FROM email_contents
UNION ALL
SELECT organization_id, email_id FROM moved_contents;

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

-- Every week that has emails.
SELECT ensure_email_partitions(to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC')
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'emails'::regclass;

-- Objects that may be in the bucket and that no row above is about. Written before an object is, so that none is forgotten.
CREATE TABLE object_removals (
  organization_id text COLLATE "C" NOT NULL,
  -- Its name; all that begin with it where it ends with a slash.
  object          text COLLATE "C" NOT NULL,
  -- putting: somebody puts it, and takes this row away with the transaction that says where the content is.
  state           text COLLATE "C" NOT NULL CHECK (state IN ('putting', 'removing')),
  -- From when on anybody may remove it.
  due_at          timestamptz NOT NULL,
  tries           smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, object)
);
CREATE INDEX object_removals_due ON object_removals (due_at);

-- How far content was moved, of each organization and each week that it has mail of.
CREATE TABLE content_weeks (
  organization_id text COLLATE "C" NOT NULL,
  -- Its Monday.
  week            date NOT NULL,
  -- The last email that was looked at in this pass; null at its beginning.
  looked_to       uuid,
  -- Emails of this pass that were not final yet.
  skipped         integer NOT NULL DEFAULT 0,
  -- When it is looked at again; null where all of it is moved.
  due_at          timestamptz,
  PRIMARY KEY (organization_id, week)
);
CREATE INDEX content_weeks_due ON content_weeks (due_at) WHERE due_at IS NOT NULL;
