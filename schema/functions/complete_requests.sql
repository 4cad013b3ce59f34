-- Stores the answers of requests with an Idempotency-Key, in the transaction that does what they asked for. A request without
-- a run was never begun (SMTP): its row is written here. Fails with PR002 if another run has taken a request over.
CREATE OR REPLACE FUNCTION complete_requests(
  request_organizations text[], request_keys text[], runs uuid[], statuses smallint[], answers jsonb[]
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  completed integer := 0;
  unbegun   integer := 0;
BEGIN
  IF cardinality(array_remove(runs, NULL)) > 0 THEN
    completed := complete_begun_requests(request_organizations, request_keys, runs, statuses, answers);
  END IF;
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
