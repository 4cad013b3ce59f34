-- Appends the outcomes of attempts, with their attempts, to the log, and queues their webhooks. There is one element per outcome in
-- every array. An attempt with `started` also stands for its `processing` event, with the id in `started_ids`. Times are
-- milliseconds since 1970.
CREATE OR REPLACE FUNCTION append_outcomes(
  organization_ids text[], email_ids uuid[], happened float8[], event_ids uuid[], positions smallint[], recipients text[],
  types text[], attempts smallint[], durations integer[],
  started_ids uuid[] DEFAULT NULL, started float8[] DEFAULT NULL,
  mx_hosts text[] DEFAULT NULL, smtp_codes smallint[] DEFAULT NULL, smtp_messages text[] DEFAULT NULL,
  enhanced_codes text[] DEFAULT NULL, reasons text[] DEFAULT NULL, tls text[] DEFAULT NULL,
  tls_certificates jsonb[] DEFAULT NULL, next_attempts float8[] DEFAULT NULL,
  rules text[] DEFAULT NULL, attempt_reasons text[] DEFAULT NULL, details text[] DEFAULT NULL,
  details_are_replies boolean[] DEFAULT NULL, conversations text[] DEFAULT NULL, routes jsonb[] DEFAULT NULL,
  evidences bytea[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at, attempt, started_at, mx_host,
                      smtp_code, smtp_message, enhanced_code, reason, tls, tls_certificate, next_attempt_at, duration_ms, rule,
                      attempt_reason, detail, detail_is_reply, conversation, route, evidence)
  SELECT organization_ids[i], email_ids[i], new.id, positions[i], recipients[i], types[i],
         to_timestamp(happened[i] / 1000.0), attempts[i], to_timestamp(started[i] / 1000.0), mx_hosts[i], smtp_codes[i],
         smtp_messages[i], enhanced_codes[i], reasons[i], tls[i], tls_certificates[i],
         to_timestamp(next_attempts[i] / 1000.0), durations[i], rules[i], attempt_reasons[i], details[i],
         details_are_replies[i], conversations[i], routes[i], evidences[i]
  FROM unnest(event_ids) WITH ORDINALITY AS new(id, i);

  IF started_ids IS NOT NULL THEN
    PERFORM queue_webhooks(organization_ids, email_ids, started, NULL, started_ids,
                           array_fill('processing'::text, ARRAY[cardinality(started_ids)]));
  END IF;
  PERFORM queue_webhooks(organization_ids, email_ids, happened, NULL, event_ids, types);
  RETURN cardinality(event_ids);
END $$;
