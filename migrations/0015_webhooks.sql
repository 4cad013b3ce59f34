-- Where organizations want to hear what happened to their mail, and what was told to whom.

CREATE TABLE webhook_endpoints (
  id              text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  url             text NOT NULL CHECK (length(url) <= 2048),
  description     text CHECK (length(description) <= 500),
  -- Of events, without `email.` in front. Null: all, those to come included.
  event_types     text[],
  -- Sealed, see kit/runtime/sealed-box.ts. The one before signs as well until previous_until.
  secret          bytea NOT NULL,
  previous_secret bytea,
  previous_until  timestamptz,
  enabled         boolean NOT NULL DEFAULT true,
  disabled_reason text COLLATE "C" CHECK (disabled_reason IN ('manual', 'gone', 'failing')),
  disabled_at     timestamptz,
  -- Since when nothing has got through; null when the last try did.
  failing_since   timestamptz,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  CHECK (enabled = (disabled_reason IS NULL)),
  CHECK (enabled = (disabled_at IS NULL)),
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);

CREATE INDEX webhook_endpoints_by_organization ON webhook_endpoints (organization_id, created_at);

-- One event on its way to one endpoint: the queue and the log in one. Rows are written in the transaction that
-- writes the event, and stay for 30 days. What is sent is put together from the event and its email when it is
-- sent, so that retention has nothing to look for here.
CREATE TABLE webhook_deliveries (
  endpoint_id     text COLLATE "C" NOT NULL,
  event_id        uuid NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  -- Null in a test event.
  email_id        uuid,
  event_type      text COLLATE "C" NOT NULL,
  state           text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  -- When it is tried next, for as long as it is pending.
  due_at          timestamptz NOT NULL,
  worker          bigint,
  -- Of the current round: a replay begins at zero.
  tries           smallint NOT NULL DEFAULT 0,
  -- Every attempt, oldest first: {"at", "status", "latency_ms", "response", "error", "next_attempt_at"}.
  attempts        jsonb NOT NULL DEFAULT '[]',
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (endpoint_id, event_id),
  CHECK (worker IS NULL OR state = 'pending')
) WITH (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

-- What a claim walks: each endpoint's waiting deliveries by time.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, due_at)
  WHERE state = 'pending' AND worker IS NULL;
-- What a reclaim walks: the rows of a worker that died.
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (worker) WHERE worker IS NOT NULL;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, event_id) WHERE state = 'failed';

-- The organization's events as a stream, newest first.
CREATE INDEX events_stream ON events (organization_id, id);
