-- What somebody took back of an incident: bounces of a window of time, and the suppressions that came from them. Rows stay.

CREATE TABLE undos (
  id              text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  from_at         timestamptz NOT NULL,
  to_at           timestamptz NOT NULL,
  template_id     text,
  tag             text,
  provider        text,
  reply           text,
  reason          text NOT NULL,
  requested_by    text NOT NULL,
  requested_at    timestamptz NOT NULL,
  -- How far it has come: the last event that was dealt with.
  at_event        uuid,
  requeued        bigint NOT NULL DEFAULT 0,
  unsuppressed    bigint NOT NULL DEFAULT 0,
  -- Bounces that stay, by why.
  left_alone      jsonb NOT NULL DEFAULT '{}',
  ended_at        timestamptz
);
CREATE INDEX undos_of_organization ON undos (organization_id, requested_at, id);
CREATE INDEX undos_open ON undos (requested_at) WHERE ended_at IS NULL;
