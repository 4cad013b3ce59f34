-- Events of a type that few have: found without walking through all the others. The usual ones are found anyhow, and
-- do not pay for it.
CREATE INDEX events_rare ON events (organization_id, type, id)
  WHERE type NOT IN ('queued', 'processing', 'delivered');
