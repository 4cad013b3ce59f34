-- As it was, but for two things. Where no request was begun, none is looked for: those of SMTP never are. And the search goes by
-- the key whatever PostgreSQL thinks of the table: a plan made while that was almost empty read all of it for every commit. It is a
-- function of its own because Citus has no plan for all values of an INSERT from a SELECT.

CREATE FUNCTION complete_begun_requests(
  request_organizations text[], request_keys text[], runs uuid[], statuses smallint[], answers jsonb[]
) RETURNS integer LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  completed integer;
BEGIN
  UPDATE idempotency_keys k SET status = done.status, answer = done.answer
  FROM unnest(request_organizations, request_keys, runs, statuses, answers) AS done(organization_id, key, run, status, answer)
  WHERE k.organization_id = done.organization_id AND k.key = done.key AND k.run = done.run AND k.status IS NULL;
  GET DIAGNOSTICS completed = ROW_COUNT;
  RETURN completed;
END $$;

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
