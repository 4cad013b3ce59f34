-- Requests that carried an Idempotency-Key, and how they were answered. A row without an answer is a request
-- still running; it may be taken over when its time is up, because whoever ran it died without committing.

CREATE TABLE idempotency_keys (
  organization_id text COLLATE "C" NOT NULL,
  key             text COLLATE "C" NOT NULL,
  request_hash    bytea NOT NULL,
  started_at      timestamptz NOT NULL DEFAULT now(),
  created_at      timestamptz NOT NULL DEFAULT now(),
  status          smallint,
  answer          jsonb,
  PRIMARY KEY (organization_id, key),
  CHECK ((status IS NULL) = (answer IS NULL))
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
