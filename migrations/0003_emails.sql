-- What was accepted, and what happened to it.
--
-- The big tables are range-partitioned by week on the email's UUIDv7 (whose first 48 bits are milliseconds):
-- a look-up by id prunes to one partition, the primary key gives each organization its emails newest first
-- without a sort, and retention drops whole partitions. Recipients, contents and events are partitioned on the
-- id of the email they belong to, so all of an email lies in, and leaves with, the same week.

CREATE TABLE emails (
  organization_id  text COLLATE "C" NOT NULL,
  id               uuid NOT NULL,
  status           text COLLATE "C" NOT NULL
                   CHECK (status IN ('queued', 'delivered', 'bounced', 'failed', 'opened')),
  priority         smallint NOT NULL CHECK (priority IN (0, 1, 2)),
  track_opens      boolean NOT NULL DEFAULT false,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  scheduled_at     timestamptz,
  expires_in       integer CHECK (expires_in > 0),
  from_email       text NOT NULL,
  from_name        text,
  subject          text NOT NULL,
  -- {"to": [{"email", "name"}], "cc", "bcc", "reply_to"}: as asked for, for the headers and the answer.
  addresses        jsonb NOT NULL,
  tags             jsonb,
  metadata         jsonb,
  batch_id         text COLLATE "C",
  template_id      text COLLATE "C",
  template_version integer,
  PRIMARY KEY (organization_id, id)
) PARTITION BY RANGE (id);

-- Kept apart from emails: lists never read it, and it is forgotten earlier.
CREATE TABLE email_contents (
  organization_id text COLLATE "C" NOT NULL,
  email_id        uuid NOT NULL,
  html            text,
  text            text,
  headers         jsonb,
  template_data   jsonb,
  PRIMARY KEY (organization_id, email_id)
) PARTITION BY RANGE (email_id);

CREATE TABLE email_attachments (
  organization_id text COLLATE "C" NOT NULL,
  email_id        uuid NOT NULL,
  position        smallint NOT NULL,
  filename        text NOT NULL,
  content_type    text NOT NULL,
  content_id      text,
  content         bytea NOT NULL,
  PRIMARY KEY (organization_id, email_id, position)
) PARTITION BY RANGE (email_id);

-- One row per address that gets the mail (an address named twice is delivered to once).
CREATE TABLE recipients (
  organization_id text COLLATE "C" NOT NULL,
  email_id        uuid NOT NULL,
  position        smallint NOT NULL,
  kind            text COLLATE "C" NOT NULL CHECK (kind IN ('to', 'cc', 'bcc')),
  address         text NOT NULL,
  state           text COLLATE "C" NOT NULL
                  CHECK (state IN ('queued', 'deferred', 'delivered', 'bounced', 'failed', 'opened')),
  attempts        smallint NOT NULL DEFAULT 0,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, email_id, position)
) PARTITION BY RANGE (email_id);

CREATE TABLE events (
  organization_id text COLLATE "C" NOT NULL,
  email_id        uuid NOT NULL,
  id              uuid NOT NULL,
  type            text COLLATE "C" NOT NULL
                  CHECK (type IN ('queued', 'processing', 'delivered', 'opened', 'bounced', 'deferred',
                                  'failed', 'complained', 'rejected')),
  position        smallint NOT NULL,
  smtp_code       smallint,
  attempt         smallint,
  created_at      timestamptz NOT NULL,
  next_attempt_at timestamptz,
  recipient       text NOT NULL,
  mx_host         text,
  smtp_message    text,
  enhanced_code   text COLLATE "C",
  reason          text COLLATE "C",
  tls             text,
  PRIMARY KEY (organization_id, email_id, id)
) PARTITION BY RANGE (email_id);

-- How many emails of each status an organization accepted on a day: what lists count with.
CREATE TABLE email_counts (
  organization_id text COLLATE "C" NOT NULL,
  day             date NOT NULL,
  status          text COLLATE "C" NOT NULL,
  count           bigint NOT NULL,
  PRIMARY KEY (organization_id, day, status)
) WITH (fillfactor = 50);

-- The smallest UUIDv7 of a moment: the bound between two partitions.
CREATE FUNCTION uuid_v7_floor(moment timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the partitions of the week that holds `moment`, where they are missing. Building each table first and
-- attaching it then keeps the lock on the parent from blocking those who read and write meanwhile.
CREATE FUNCTION ensure_email_partitions(moment timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  week  timestamptz := date_trunc('week', moment, 'UTC');
  parent text;
  part  text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('postrider.partitions'));
  FOREACH parent IN ARRAY ARRAY['emails', 'email_contents', 'email_attachments', 'recipients', 'events'] LOOP
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

SELECT ensure_email_partitions(now() + weeks * interval '7 days') FROM generate_series(0, 4) AS weeks;
