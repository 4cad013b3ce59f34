-- From schema/functions/append_events.sql.
-- Appends events to the log and queues their webhooks. `event_numbers` says which email an event belongs to; without it
-- there is one element per event in every array. Times are milliseconds since 1970.
CREATE OR REPLACE FUNCTION append_events(
  organization_ids text[], email_ids uuid[], happened float8[],
  event_numbers integer[], event_ids uuid[], positions smallint[], recipients text[], types text[], urls text[],
  holds jsonb[],
  attempts smallint[] DEFAULT NULL, mx_hosts text[] DEFAULT NULL, smtp_codes smallint[] DEFAULT NULL,
  smtp_messages text[] DEFAULT NULL, enhanced_codes text[] DEFAULT NULL, reasons text[] DEFAULT NULL,
  tls text[] DEFAULT NULL, next_attempts float8[] DEFAULT NULL, user_agents text[] DEFAULT NULL,
  tls_certificates jsonb[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at, attempt, mx_host, smtp_code,
                      smtp_message, enhanced_code, reason, tls, next_attempt_at, user_agent, tls_certificate, url, hold)
  SELECT organization_ids[n], email_ids[n], new.id, positions[i], recipients[i], types[i],
         to_timestamp(happened[n] / 1000.0), attempts[i], mx_hosts[i], smtp_codes[i], smtp_messages[i], enhanced_codes[i],
         reasons[i], tls[i], to_timestamp(next_attempts[i] / 1000.0), user_agents[i], tls_certificates[i], urls[i], holds[i]
  FROM unnest(event_ids) WITH ORDINALITY AS new(id, i), LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n);

  PERFORM queue_webhooks(organization_ids, email_ids, happened, event_numbers, event_ids, types);
  RETURN cardinality(event_ids);
END $$;

-- From schema/functions/append_outcomes.sql.
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

-- From schema/functions/queue_webhooks.sql.
-- Queues events for the webhooks that subscribe to them. The arrays are those of append_events(). Events without an id are
-- left out.
CREATE OR REPLACE FUNCTION queue_webhooks(
  organization_ids text[], email_ids uuid[], happened float8[],
  event_numbers integer[], event_ids uuid[], types text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz := now();
BEGIN
  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.organization_id = ANY (organization_ids) AND w.enabled) THEN
    INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, email_id, event_type, due_at, created_at)
    SELECT w.id, new.id, w.organization_id, email_ids[n], types[i], due, to_timestamp(happened[n] / 1000.0)
    FROM unnest(event_ids) WITH ORDINALITY AS new(id, i)
    CROSS JOIN LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n)
    JOIN webhook_endpoints w ON w.organization_id = organization_ids[n]
    WHERE w.enabled AND (w.event_types IS NULL OR types[i] = ANY (w.event_types)) AND new.id IS NOT NULL
      AND (w.streams IS NULL OR coalesce(
        -- Emails accepted before the column have the stream as a tag.
        (SELECT coalesce(e.stream, jsonb_path_query_first(e.tags, '$[*] ? (@.name == "message-stream").value') #>> '{}')
         FROM emails e WHERE e.organization_id = organization_ids[n] AND e.id = email_ids[n]),
        'transactional') = ANY (w.streams));
  END IF;
END $$;
