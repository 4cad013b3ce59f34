-- Mail that organizations receive.

-- Names that they receive at: a verified domain of theirs, or one below it. Nobody else may receive at the same.
CREATE TABLE receiving_names (
  organization_id text COLLATE "C" NOT NULL,
  name            text COLLATE "C" NOT NULL,
  domain_id       text COLLATE "C" NOT NULL,
  -- What the last look at its MX records found.
  mx_check        jsonb,
  checked_at      timestamptz,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, name),
  FOREIGN KEY (domain_id, organization_id) REFERENCES domains (id, organization_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX receiving_names_name ON receiving_names (name);

-- Which addresses there are at a name.
CREATE TABLE inbound_routes (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  name            text COLLATE "C" NOT NULL,
  -- In lower case; '*' for all that no other route has.
  local           text COLLATE "C" NOT NULL,
  description     text,
  enabled         boolean NOT NULL DEFAULT true,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, name, local),
  FOREIGN KEY (organization_id, name) REFERENCES receiving_names ON DELETE CASCADE
);

-- One row for each organization that a message was for, written before its sender is told 250.
CREATE TABLE received_emails (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  id              uuid NOT NULL,
  received_at     timestamptz NOT NULL,
  -- waiting: to be read. unreadable: nobody can; only the source is there.
  state           text COLLATE "C" NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'read', 'unreadable')),
  tries           smallint NOT NULL DEFAULT 0,
  -- Of one that waits: from when on anybody may read it.
  due_at          timestamptz NOT NULL DEFAULT now(),
  -- The envelope, and who brought it.
  mail_from       text NOT NULL,
  recipients      text[] NOT NULL,
  route_ids       text[] NOT NULL,
  remote_address  text NOT NULL,
  helo            text NOT NULL,
  secured         boolean NOT NULL,
  -- Of the mail whose reply address it was sent to.
  token_email_id  uuid,
  size            integer NOT NULL,
  -- 0 when it was kept long enough.
  stored_bytes    bigint NOT NULL,
  -- Null when it was kept long enough.
  raw             bytea,
  -- Of the whole message and its envelope, where it has a Message-ID: the same again is the same mail.
  digest          bytea,
  -- What it says.
  from_email      text,
  from_name       text,
  subject         text,
  text            text,
  html            text,
  -- The text without what it quotes.
  reply           text,
  message_id      text,
  details         jsonb,
  authentication  jsonb,
  scans           jsonb,
  automatic       boolean NOT NULL DEFAULT false,
  problem         text,
  conversation_id uuid NOT NULL,
  -- The mail of ours that it answers.
  reply_to_email_id uuid,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX received_emails_waiting ON received_emails (due_at) WHERE state = 'waiting';
CREATE UNIQUE INDEX received_emails_digest ON received_emails (organization_id, digest) WHERE digest IS NOT NULL;
CREATE INDEX received_emails_conversation ON received_emails (organization_id, conversation_id, id);
CREATE INDEX received_emails_message_id ON received_emails (organization_id, message_id) WHERE message_id IS NOT NULL;
-- Most of it is compressed already, or read once.
ALTER TABLE received_emails ALTER COLUMN raw SET STORAGE EXTERNAL;

-- How much came in on a day, and how much of that is kept.
CREATE TABLE received_days (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  day             date NOT NULL,
  messages        integer NOT NULL,
  bytes           bigint NOT NULL,
  PRIMARY KEY (organization_id, day)
);

-- Mail of ours that belongs to a conversation that somebody else's mail is in.
CREATE TABLE conversation_emails (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  email_id        uuid NOT NULL,
  conversation_id uuid NOT NULL,
  PRIMARY KEY (organization_id, email_id)
);
CREATE INDEX conversation_emails_of ON conversation_emails (organization_id, conversation_id, email_id);

-- More than before is allowed, so no row need be looked at.
ALTER TABLE events DROP CONSTRAINT events_type_check;
ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (
  type IN ('queued', 'processing', 'delivered', 'opened', 'clicked', 'bounced', 'deferred', 'failed', 'complained',
           'unsubscribed', 'rejected', 'received')) NOT VALID;
