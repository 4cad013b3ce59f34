-- Addresses that must not be mailed, up to millions per organization.
--
-- `key` is the form addresses are compared in (kit/message/address.ts makes it). One hash index keeps each address to one
-- entry and serves the look-up at every send: measured with a million rows it is 37 MB where the B-tree of the same
-- takes 95 MB, and answers twice as fast. Ids of organizations are all of one length, so joining them to the key is
-- unambiguous.
--
-- The id is a UUIDv7: the primary key lists newest first and serves the export without a sort.

CREATE TABLE suppressions (
  organization_id text COLLATE "C" NOT NULL,
  id              uuid NOT NULL,
  created_at      timestamptz NOT NULL,
  email           text NOT NULL,
  key             text COLLATE "C" NOT NULL,
  reason          text COLLATE "C" NOT NULL
                  CHECK (reason IN ('hard_bounce', 'soft_bounce', 'complaint', 'unsubscribe', 'manual')),
  source          text COLLATE "C" NOT NULL CHECK (source IN ('automatic', 'manual')),
  -- Where an automatic entry came from: the email, and the reason its event carries.
  email_id        uuid,
  cause           text COLLATE "C",
  PRIMARY KEY (organization_id, id),
  CONSTRAINT suppressions_address EXCLUDE USING hash ((organization_id || key) WITH =)
);
CREATE INDEX suppressions_by_reason ON suppressions (organization_id, reason, id);

-- How many entries there are: what the list counts with.
CREATE TABLE suppression_counts (
  organization_id text COLLATE "C" NOT NULL,
  reason          text COLLATE "C" NOT NULL,
  count           bigint NOT NULL,
  PRIMARY KEY (organization_id, reason)
) WITH (fillfactor = 50);

-- Mailboxes that were full, until they work again, stay quiet for long or are suppressed.
CREATE TABLE mailbox_failures (
  organization_id text COLLATE "C" NOT NULL,
  key             text COLLATE "C" NOT NULL,
  failures        integer NOT NULL CHECK (failures > 0),
  first_at        timestamptz NOT NULL,
  last_at         timestamptz NOT NULL,
  PRIMARY KEY (key, organization_id)
);

-- Uploaded lists on their way into suppressions. `processed` moves in the same transaction as the rows it counts,
-- so a list that is taken up again after a crash goes on where it stopped.
CREATE TABLE suppression_imports (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              text COLLATE "C" NOT NULL,
  state           text COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  format          text COLLATE "C" NOT NULL CHECK (format IN ('csv', 'json')),
  -- For lines that give no reason of their own; null: new entries are `manual`, existing ones keep theirs.
  reason          text COLLATE "C",
  -- The list itself, thrown away when it has been read.
  payload         text,
  total           integer NOT NULL,
  processed       integer NOT NULL DEFAULT 0,
  added           integer NOT NULL DEFAULT 0,
  existing        integer NOT NULL DEFAULT 0,
  invalid         integer NOT NULL DEFAULT 0,
  -- The first of the invalid lines: [{"line", "field", "message"}].
  errors          jsonb NOT NULL DEFAULT '[]',
  created_at      timestamptz NOT NULL,
  finished_at     timestamptz,
  lease_until     timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK (processed = added + existing + invalid)
);
CREATE INDEX suppression_imports_open ON suppression_imports (created_at) WHERE finished_at IS NULL;
