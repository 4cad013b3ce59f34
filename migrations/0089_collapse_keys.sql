-- The newest email of each collapse key, for each of its recipients: what is older and still waits is not sent any more.
-- `digest` stands for the sender's domain, the key and the recipient, none of which has to be read here.

CREATE TABLE collapse_keys (
  organization_id text COLLATE "C" NOT NULL,
  digest          bytea NOT NULL,
  email_id        uuid NOT NULL,
  position        smallint NOT NULL,
  -- When the transaction began that accepted it, and when this was written.
  began_at        timestamptz NOT NULL DEFAULT now(),
  noted_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, digest)
);

-- For those who erase an email.
CREATE INDEX collapse_keys_by_email ON collapse_keys (email_id);
