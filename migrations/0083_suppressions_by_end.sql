-- no-transaction
-- And for its end: a domain, or the last part of one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS suppressions_by_end
  ON suppressions (organization_id, (reverse(lower(email)) COLLATE "C"))
