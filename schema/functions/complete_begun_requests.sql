-- The part of complete_requests() for requests that were begun. A function of its own, because its settings force the look-up by
-- key whatever the statistics of the table say, and Citus has no generic plan for an INSERT from a SELECT.
CREATE OR REPLACE FUNCTION complete_begun_requests(
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
