-- no-transaction
-- contract: 0053
-- To become the primary key. It keeps apart no less than the one of before, which lacks the organization.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_key
  ON webhook_deliveries (endpoint_id, event_id, organization_id)
