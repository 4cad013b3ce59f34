-- The answers of requests that were accepted before, by place. The row lock makes the commit of this transaction wait until a
-- synchronous standby has them, too.
CREATE OR REPLACE FUNCTION lock_answers(request_organizations text[], request_keys text[])
RETURNS TABLE (place integer, known_status smallint, known_answer jsonb) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY
  SELECT asked.number::integer, k.status, k.answer
  FROM unnest(request_organizations, request_keys) WITH ORDINALITY AS asked(organization_id, key, number)
  JOIN idempotency_keys k ON k.organization_id = asked.organization_id AND k.key = asked.key
  WHERE k.status IS NOT NULL
  ORDER BY k.organization_id, k.key
  FOR UPDATE OF k;
END $$;
