-- Filters of a list that somebody saved under a name, for themselves or for the whole organization.
CREATE TABLE saved_views (
  id              text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  list            text COLLATE "C" NOT NULL,
  name            text NOT NULL,
  query           jsonb NOT NULL,
  -- The member whose own view this is; null for a view that is shared.
  owner_id        text COLLATE "C",
  -- The user or the API key that created the view.
  created_by      text COLLATE "C" NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, owner_id) REFERENCES memberships (organization_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_views_own ON saved_views (organization_id, owner_id, list, name) WHERE owner_id IS NOT NULL;
CREATE UNIQUE INDEX saved_views_shared ON saved_views (organization_id, list, name) WHERE owner_id IS NULL;
COMMENT ON TABLE saved_views IS 'Filters of lists that people saved under a name, for themselves or for their organization.';
COMMENT ON COLUMN saved_views.owner_id IS 'The member whose own view this is; null for a view that is shared.';
COMMENT ON COLUMN saved_views.created_by IS 'The user or the API key that created the view.';
