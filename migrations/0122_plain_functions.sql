-- As they were, but for how they are written: where a schema is one of Citus, it takes the time in an UPDATE or an INSERT from a SELECT
-- as a value alone, and values for rows as columns alone.

CREATE OR REPLACE FUNCTION complete_requests(
  request_organizations text[], request_keys text[], runs uuid[], statuses smallint[], answers jsonb[]
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  completed integer;
  unbegun   integer := 0;
BEGIN
  UPDATE idempotency_keys k SET status = done.status, answer = done.answer
  FROM unnest(request_organizations, request_keys, runs, statuses, answers) AS done(organization_id, key, run, status, answer)
  WHERE k.organization_id = done.organization_id AND k.key = done.key AND k.run = done.run AND k.status IS NULL;
  GET DIAGNOSTICS completed = ROW_COUNT;
  IF completed < cardinality(request_keys) THEN
    INSERT INTO idempotency_keys AS k (organization_id, key, request_hash, run, status, answer)
    SELECT DISTINCT ON (request_organizations[i], done.key)
           request_organizations[i], done.key, sha256(convert_to(done.key, 'UTF8')), gen_random_uuid(), statuses[i], answers[i]
    FROM unnest(request_keys) WITH ORDINALITY AS done(key, i)
    WHERE runs[i] IS NULL
    ON CONFLICT (organization_id, key) DO UPDATE
      SET created_at = excluded.created_at, started_at = excluded.started_at, request_hash = excluded.request_hash,
          run = excluded.run, status = excluded.status, answer = excluded.answer
      WHERE excluded.created_at - k.created_at > interval '24 hours';
    GET DIAGNOSTICS unbegun = ROW_COUNT;
  END IF;
  IF completed + unbegun <> cardinality(request_keys) THEN
    RAISE EXCEPTION 'a request was taken over by another one with the same key' USING ERRCODE = 'PR002';
  END IF;
  RETURN completed + unbegun;
END $$;

CREATE OR REPLACE FUNCTION claim_deliveries(claimant bigint, organization_ids text[], email_ids uuid[], positions smallint[])
RETURNS SETOF outbox LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  claimed timestamptz := now();
BEGIN
  RETURN QUERY
  UPDATE outbox o SET worker = claimant, attempt = o.attempt + 1,
    first_attempt_at = CASE WHEN o.attempt = 0 THEN claimed ELSE coalesce(o.first_attempt_at, claimed) END
  FROM unnest(organization_ids, email_ids, positions) AS due(organization_id, email_id, position)
  WHERE o.email_id = due.email_id AND o.position = due.position AND o.organization_id = due.organization_id
  RETURNING o.*;
END $$;

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
        (SELECT tag->>'value' FROM emails e, jsonb_array_elements(e.tags) AS tag
         WHERE e.organization_id = organization_ids[n] AND e.id = email_ids[n] AND tag->>'name' = 'message-stream' LIMIT 1),
        'transactional') = ANY (w.streams));
  END IF;
  RETURN cardinality(event_ids);
END $$;

CREATE OR REPLACE FUNCTION append_events(
  organization_ids text[], email_ids uuid[], happened float8[],
  event_numbers integer[], event_ids uuid[], positions smallint[], recipients text[], types text[], urls text[],
  attempts smallint[] DEFAULT NULL, mx_hosts text[] DEFAULT NULL, smtp_codes smallint[] DEFAULT NULL,
  smtp_messages text[] DEFAULT NULL, enhanced_codes text[] DEFAULT NULL, reasons text[] DEFAULT NULL,
  tls text[] DEFAULT NULL, next_attempts float8[] DEFAULT NULL, user_agents text[] DEFAULT NULL,
  tls_certificates jsonb[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz := now();
BEGIN
  INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at, attempt, mx_host, smtp_code,
                      smtp_message, enhanced_code, reason, tls, next_attempt_at, user_agent, tls_certificate, url)
  SELECT organization_ids[n], email_ids[n], new.id, positions[i], recipients[i], types[i],
         to_timestamp(happened[n] / 1000.0), attempts[i], mx_hosts[i], smtp_codes[i], smtp_messages[i], enhanced_codes[i],
         reasons[i], tls[i], to_timestamp(next_attempts[i] / 1000.0), user_agents[i], tls_certificates[i], urls[i]
  FROM unnest(event_ids) WITH ORDINALITY AS new(id, i), LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n);

  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.organization_id = ANY (organization_ids) AND w.enabled) THEN
    INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, email_id, event_type, due_at, created_at)
    SELECT w.id, new.id, w.organization_id, email_ids[n], types[i], due, to_timestamp(happened[n] / 1000.0)
    FROM unnest(event_ids) WITH ORDINALITY AS new(id, i)
    CROSS JOIN LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n)
    JOIN webhook_endpoints w ON w.organization_id = organization_ids[n]
    WHERE w.enabled AND (w.event_types IS NULL OR types[i] = ANY (w.event_types))
      AND (w.streams IS NULL OR coalesce(
        (SELECT tag->>'value' FROM emails e, jsonb_array_elements(e.tags) AS tag
         WHERE e.organization_id = organization_ids[n] AND e.id = email_ids[n] AND tag->>'name' = 'message-stream' LIMIT 1),
        'transactional') = ANY (w.streams));
  END IF;
  RETURN cardinality(event_ids);
END $$;

-- The last so many.
CREATE FUNCTION newest_times(times integer[], most integer) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT times[greatest(1, cardinality(times) - most + 1):]
$$;
