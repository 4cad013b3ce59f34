-- Mail that came back: delivery reports, complaints and what else was sent to a return path or to the addresses that
-- a mail server must have. A row is written before its sender is told 250, and is removed by the transaction that
-- records what it says, so every report counts exactly once, whoever dies in between.

CREATE TABLE inbound_messages (
  id              uuid PRIMARY KEY,
  received_at     timestamptz NOT NULL,
  -- The local part it was sent to: of a return path only `b`.
  mailbox         text COLLATE "C" NOT NULL CHECK (mailbox IN ('b', 'fbl', 'abuse', 'postmaster')),
  -- Whose delivery the return path names; null for the other mailboxes.
  organization_id text COLLATE "C",
  email_id        uuid,
  position        smallint,
  mail_from       text NOT NULL,
  remote_address  text NOT NULL,
  -- Of the message as it was sent; `raw` holds its beginning.
  size            integer NOT NULL,
  raw             bytea NOT NULL,
  -- waiting: to be read. kept: read, and nobody's report; for the operator to look at, until it is old.
  state           text COLLATE "C" NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'kept')),
  -- Why it is kept.
  note            text,
  tries           smallint NOT NULL DEFAULT 0,
  due_at          timestamptz NOT NULL DEFAULT now(),
  CHECK ((mailbox = 'b') = (email_id IS NOT NULL)),
  CHECK ((mailbox = 'b') = (organization_id IS NOT NULL)),
  CHECK ((mailbox = 'b') = (position IS NOT NULL))
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX inbound_messages_waiting ON inbound_messages (due_at) WHERE state = 'waiting';
CREATE INDEX inbound_messages_kept ON inbound_messages (received_at) WHERE state = 'kept';
-- Most are read within milliseconds and thrown away: compressing them would cost more than it saves.
ALTER TABLE inbound_messages ALTER COLUMN raw SET STORAGE EXTERNAL;
