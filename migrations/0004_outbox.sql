-- The queue: one narrow row per recipient still to deliver, and nothing else. A row leaves when its delivery is
-- final, so the table stays as small as the work in hand.

-- One row per running worker process. A worker owns the outbox rows that carry its epoch for as long as its
-- heartbeat is fresh; there are no leases per row to renew.
CREATE TABLE workers (
  epoch        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  host         text NOT NULL,
  pid          integer NOT NULL,
  started_at   timestamptz NOT NULL DEFAULT now(),
  heartbeat_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE outbox (
  email_id        uuid NOT NULL,
  due_at          timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  worker          bigint,
  -- About how many bytes of content the delivery will load: what bounds a worker's memory.
  size            integer NOT NULL,
  position        smallint NOT NULL,
  priority        smallint NOT NULL,
  attempt         smallint NOT NULL DEFAULT 0,
  organization_id text COLLATE "C" NOT NULL,
  domain          text COLLATE "C" NOT NULL,
  PRIMARY KEY (email_id, position)
) WITH (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

-- What a claim walks: each organization's waiting mail, by priority, then by time.
CREATE INDEX outbox_waiting ON outbox (organization_id, priority, due_at) WHERE worker IS NULL;
-- What a reclaim walks: the rows of a worker that died.
CREATE INDEX outbox_claimed ON outbox (worker) WHERE worker IS NOT NULL;
