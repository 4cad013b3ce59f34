-- no-transaction
-- What a search for the beginning of an address goes by.
CREATE INDEX CONCURRENTLY IF NOT EXISTS suppressions_by_beginning
  ON suppressions (organization_id, (lower(email) COLLATE "C"))
