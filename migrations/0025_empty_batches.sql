-- Batches of which no recipient was accepted: they have no email to be known by, and whoever was given the id may ask.
-- Others are counted from their emails.
CREATE TABLE empty_batches (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              text COLLATE "C" NOT NULL,
  -- As in emails: who may ask about it.
  api_key_id      text COLLATE "C",
  from_email      text NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX empty_batches_by_age ON empty_batches (created_at);
