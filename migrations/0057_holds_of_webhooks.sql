-- A restored installation has webhooks in its queue that were mostly sent since: they wait with its mail.
ALTER TABLE holds ADD COLUMN with_webhooks boolean NOT NULL DEFAULT false;
