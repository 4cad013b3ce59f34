-- Mail that must not go out for now. It is accepted as ever; what is held waits in the outbox.

CREATE TABLE holds (
  id              text COLLATE "C" PRIMARY KEY,
  -- Whose mail it stops; null for everybody's.
  organization_id text COLLATE "C" REFERENCES organizations,
  -- Placed by an operator, and ended by one alone.
  by_operator     boolean NOT NULL,
  scope           text NOT NULL CHECK (scope IN ('all', 'organization', 'domain', 'template', 'tag', 'provider')),
  -- Which domain, template, tag or provider.
  value           text CHECK ((value IS NULL) = (scope IN ('all', 'organization'))),
  reason          text NOT NULL,
  placed_by       text NOT NULL,
  placed_at       timestamptz NOT NULL,
  -- What is to become of the mail, once somebody has decided it. Carried out in steps.
  ending          text CHECK (ending IN ('release', 'discard')),
  ending_reason   text,
  ending_by       text,
  ending_at       timestamptz,
  -- From then on it stops nothing.
  lifted_at       timestamptz,
  -- From then on nothing of it is left.
  ended_at        timestamptz,
  released        bigint NOT NULL DEFAULT 0,
  discarded       bigint NOT NULL DEFAULT 0,
  CHECK ((scope = 'organization') <= (organization_id IS NOT NULL)),
  CHECK ((scope = 'all') <= (organization_id IS NULL)),
  CHECK ((ending IS NULL) = (ending_at IS NULL))
);
CREATE INDEX holds_of_organization ON holds (organization_id, placed_at, id);
-- The few that workers keep in memory, and each of them once.
CREATE UNIQUE INDEX holds_in_force ON holds (scope, coalesce(organization_id, ''), coalesce(value, ''), by_operator)
  WHERE lifted_at IS NULL;
CREATE INDEX holds_ending ON holds (ending_at) WHERE ending IS NOT NULL AND ended_at IS NULL;

-- Of a delivery that is held: by which hold, and how much of its lifetime is left. It is due at no time meanwhile.
ALTER TABLE outbox ADD COLUMN hold_id text COLLATE "C", ADD COLUMN time_left interval;
CREATE INDEX outbox_held ON outbox (hold_id, email_id, position) WHERE hold_id IS NOT NULL;
