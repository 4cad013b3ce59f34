-- In whose words an endpoint is told of events: ours, or those of the service that its code was written for.
ALTER TABLE webhook_endpoints ADD COLUMN format text COLLATE "C" NOT NULL DEFAULT 'postrider'
  CHECK (format IN ('postrider', 'resend', 'sendgrid', 'postmark'));
