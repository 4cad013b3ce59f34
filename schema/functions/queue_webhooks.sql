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
