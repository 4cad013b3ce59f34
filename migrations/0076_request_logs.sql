-- Requests that were refused, in whole or in part, newest 10,000 of an organization for 7 days. The time is in the id.

CREATE TABLE request_logs (
  organization_id text COLLATE "C" NOT NULL,
  id              uuid NOT NULL,
  method          text COLLATE "C" NOT NULL,
  path            text NOT NULL,
  status          smallint NOT NULL,
  code            text COLLATE "C",
  message         text,
  key_id          text COLLATE "C",
  user_id         text COLLATE "C",
  request_id      text COLLATE "C",
  duration_ms     integer NOT NULL,
  -- How many requests this row stands for.
  count           integer NOT NULL,
  -- `fields`: what was wrong; `recipients`: who would have been mailed; `excerpt`: of the body, redacted.
  facts           jsonb NOT NULL,
  PRIMARY KEY (organization_id, id)
);
