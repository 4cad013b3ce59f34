-- What the last call that failed failed of: people see it where they see that a webhook fails.
ALTER TABLE webhook_endpoints
  ADD COLUMN last_error text CHECK (length(last_error) <= 500),
  ADD COLUMN last_error_at timestamptz;
