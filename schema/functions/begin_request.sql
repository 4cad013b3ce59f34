-- Begins a request with an Idempotency-Key (`begun`), or takes over an abandoned one. Otherwise returns whether the earlier
-- request had the same content, and its answer. Waits for the commit of a concurrent request with the same key.
CREATE OR REPLACE FUNCTION begin_request(
  request_organization text, request_key text, hash bytea, new_run uuid,
  OUT begun boolean, OUT same boolean, OUT known_status smallint, OUT known_answer jsonb
) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO idempotency_keys AS k (organization_id, key, request_hash, run)
  VALUES (request_organization, request_key, hash, new_run)
  ON CONFLICT (organization_id, key) DO UPDATE
    SET started_at = excluded.started_at, created_at = excluded.created_at, request_hash = excluded.request_hash,
        status = NULL, answer = NULL, run = excluded.run
    WHERE excluded.created_at - k.created_at > interval '24 hours'
       OR (k.status IS NULL AND k.request_hash = excluded.request_hash
           AND excluded.started_at - k.started_at NOT BETWEEN interval '-4 seconds' AND interval '4 seconds');
  begun := FOUND;
  IF NOT begun THEN
    SELECT k.request_hash = hash, k.status, k.answer INTO same, known_status, known_answer
    FROM idempotency_keys k WHERE k.organization_id = request_organization AND k.key = request_key;
  END IF;
END $$;
