-- no-transaction
-- contract: 0053
-- To become the primary key. It keeps apart no less than the one of before, which lacks the organization.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS outbox_key ON outbox (email_id, position, organization_id)
