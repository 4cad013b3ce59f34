-- Endpoints in the words of other services that were told everything those have a word for: they are told of clicks as well.
UPDATE webhook_endpoints SET event_types = array_append(event_types, 'clicked')
WHERE cardinality(event_types) = CASE format WHEN 'resend' THEN 9 WHEN 'sendgrid' THEN 9 WHEN 'postmark' THEN 6 END
  AND event_types @> ARRAY['delivered', 'opened', 'bounced', 'failed', 'complained']
  AND event_types @> CASE format WHEN 'resend' THEN ARRAY['queued', 'processing', 'deferred', 'rejected']
                                 WHEN 'sendgrid' THEN ARRAY['processing', 'deferred', 'rejected', 'unsubscribed']
                                 WHEN 'postmark' THEN ARRAY['unsubscribed'] END;
