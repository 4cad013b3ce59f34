-- When a delivery was first tried: the mail's `Date` and the time of its signature, the same at every attempt. The claim
-- writes it, which writes the row anyway; null until then.
ALTER TABLE outbox ADD COLUMN first_attempt_at timestamptz;

-- What has been tried went out with the time of its acceptance.
UPDATE outbox SET first_attempt_at = to_timestamp(('x' || substr(replace(email_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
WHERE attempt > 0;
