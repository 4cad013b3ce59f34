-- no-transaction
-- contract: 0053
-- One entry for each address of an organization. It refuses what the hash of both, which it takes the place of, refuses.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS suppressions_key ON suppressions (key, organization_id)
