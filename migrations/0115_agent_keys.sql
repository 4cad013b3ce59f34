-- Keys for agents: what such a key may send, how much of it in a day, and whether somebody has to approve it first.

ALTER TABLE api_keys DROP CONSTRAINT api_keys_scope_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_scope_check CHECK (scope IN ('full', 'read', 'agent', 'send'));
ALTER TABLE api_keys
  -- Null: nothing but its scope and its domain restricts it. Whoever can do everything could undo it, so only senders have one.
  ADD COLUMN policy jsonb CHECK (policy IS NULL OR scope IN ('agent', 'send')),
  -- The key whose budget it uses: the first of those that took each other's place.
  ADD COLUMN budget_of text COLLATE "C";

-- Recipients that were accepted for a key on a day, in UTC.
CREATE TABLE key_budgets (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  key_id          text COLLATE "C" NOT NULL,
  day             date NOT NULL,
  recipients      integer NOT NULL,
  PRIMARY KEY (organization_id, key_id, day)
);

-- Mail that waits for somebody's approval, or did. While it waits, its deliveries are parked in the outbox with the hold
-- `approval`: it is approved by taking that away, and whatever takes them out of the queue ends the waiting, too.
CREATE TABLE approvals (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  email_id        uuid NOT NULL,
  api_key_id      text COLLATE "C" NOT NULL,
  requested_at    timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  decision        text CHECK (decision IN ('approved', 'rejected', 'expired', 'withdrawn')),
  decided_at      timestamptz,
  -- The user who decided.
  decided_by      text COLLATE "C",
  reason          text,
  PRIMARY KEY (organization_id, email_id),
  CHECK ((decision IS NULL) = (decided_at IS NULL))
);
CREATE INDEX approvals_waiting ON approvals (organization_id, email_id) WHERE decision IS NULL;
CREATE INDEX approvals_expiring ON approvals (expires_at) WHERE decision IS NULL;
