-- no-transaction
-- Who created a webhook, or gave it another address, is asked when a member is removed. The log may be long by then.
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_log_of_webhooks ON audit_log (organization_id, target_id, id)
  WHERE action IN ('webhook.created', 'webhook.updated')
