-- previous-release: 0.1.0 calls this function. Drop the function after 2027-03-01, from release 0.3.0 on.
-- Later releases call append_events() with `urls` and `holds`.
CREATE OR REPLACE FUNCTION append_events(
  -- Of each email, or of each event without `event_numbers`.
  organization_ids text[], email_ids uuid[], happened float8[],
  event_numbers integer[], event_ids uuid[], positions smallint[], recipients text[], types text[],
  attempts smallint[] DEFAULT NULL, mx_hosts text[] DEFAULT NULL, smtp_codes smallint[] DEFAULT NULL,
  smtp_messages text[] DEFAULT NULL, enhanced_codes text[] DEFAULT NULL, reasons text[] DEFAULT NULL,
  tls text[] DEFAULT NULL, next_attempts float8[] DEFAULT NULL, user_agents text[] DEFAULT NULL,
  tls_certificates jsonb[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz := now();
BEGIN
  INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at, attempt, mx_host, smtp_code,
                      smtp_message, enhanced_code, reason, tls, next_attempt_at, user_agent, tls_certificate)
  SELECT organization_ids[n], email_ids[n], new.id, positions[i], recipients[i], types[i],
         to_timestamp(happened[n] / 1000.0), attempts[i], mx_hosts[i], smtp_codes[i], smtp_messages[i], enhanced_codes[i],
         reasons[i], tls[i], to_timestamp(next_attempts[i] / 1000.0), user_agents[i], tls_certificates[i]
  FROM unnest(event_ids) WITH ORDINALITY AS new(id, i), LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n);

  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.organization_id = ANY (organization_ids) AND w.enabled) THEN
    INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, email_id, event_type, due_at, created_at)
    SELECT w.id, new.id, w.organization_id, email_ids[n], types[i], due, to_timestamp(happened[n] / 1000.0)
    FROM unnest(event_ids) WITH ORDINALITY AS new(id, i)
    CROSS JOIN LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n)
    JOIN webhook_endpoints w ON w.organization_id = organization_ids[n]
    WHERE w.enabled AND (w.event_types IS NULL OR types[i] = ANY (w.event_types))
      AND (w.streams IS NULL OR coalesce(
        -- Emails accepted before the column have the stream as a tag.
        (SELECT coalesce(e.stream, jsonb_path_query_first(e.tags, '$[*] ? (@.name == "message-stream").value') #>> '{}')
         FROM emails e WHERE e.organization_id = organization_ids[n] AND e.id = email_ids[n]),
        'transactional') = ANY (w.streams));
  END IF;
  RETURN cardinality(event_ids);
END $$;
