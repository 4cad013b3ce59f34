-- Moving mail of a rule from one transport to another, little by little: how far it is with each provider, what became of mail on
-- both ways, and every step that was taken.
CREATE TABLE canaries (
  name      text COLLATE "C" PRIMARY KEY,
  -- Moving to another one is another move.
  transport text NOT NULL,
  paused_at timestamptz,
  -- Whoever looks locks the row: one worker at a time, and not more often than it is due.
  looked_at timestamptz NOT NULL DEFAULT '-infinity'
);

CREATE TABLE canary_shares (
  canary    text COLLATE "C" NOT NULL REFERENCES canaries ON DELETE CASCADE,
  provider  text COLLATE "C" NOT NULL,
  percent   double precision NOT NULL CHECK (percent BETWEEN 0 AND 100),
  since     timestamptz NOT NULL DEFAULT now(),
  paused_at timestamptz,
  falls     integer NOT NULL DEFAULT 0,
  -- Counted since then, but for what is still in canary_counts.
  counted   jsonb NOT NULL DEFAULT '{}',
  -- What became of mail on the old way in the step before.
  usual     jsonb,
  PRIMARY KEY (canary, provider)
);

-- Ten seconds each, by the database's clock; folded into the shares after an hour.
CREATE TABLE canary_counts (
  canary     text COLLATE "C" NOT NULL,
  provider   text COLLATE "C" NOT NULL,
  way        text COLLATE "C" NOT NULL CHECK (way IN ('old', 'new')),
  at         timestamptz NOT NULL,
  sent       integer NOT NULL DEFAULT 0,
  deferred   integer NOT NULL DEFAULT 0,
  bounced    integer NOT NULL DEFAULT 0,
  complained integer NOT NULL DEFAULT 0,
  PRIMARY KEY (canary, provider, way, at)
);

CREATE TABLE canary_steps (
  id           uuid PRIMARY KEY,
  canary       text COLLATE "C" NOT NULL,
  transport    text NOT NULL,
  -- Null for all of them.
  provider     text COLLATE "C",
  kind         text NOT NULL CHECK (kind IN ('rise', 'fall', 'pause', 'resume', 'back', 'finish')),
  from_percent double precision,
  to_percent   double precision,
  message      text NOT NULL,
  -- What it was decided by; null where people did it.
  numbers      jsonb,
  at           timestamptz NOT NULL
);
CREATE INDEX canary_steps_at ON canary_steps (at);
