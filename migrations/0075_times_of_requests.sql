-- As it was, but for the time: that of the new row's defaults.
CREATE OR REPLACE FUNCTION complete_requests(
  request_organizations text[], request_keys text[], runs uuid[], statuses smallint[], answers jsonb[]
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  completed integer;
  unbegun   integer := 0;
BEGIN
  UPDATE idempotency_keys k SET status = statuses[i], answer = answers[i]
  FROM unnest(request_keys) WITH ORDINALITY AS done(key, i)
  WHERE k.organization_id = request_organizations[i] AND k.key = done.key AND k.run = runs[i] AND k.status IS NULL;
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
