-- The places of requests that were accepted before: requests with a run that is no longer the current one or is completed, and
-- requests without a run whose key was used within the last 24 hours. Null if there are none.
CREATE OR REPLACE FUNCTION repeated_requests(request_organizations text[], request_keys text[], runs uuid[]) RETURNS integer[]
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN (SELECT array_agg(asked.place::integer)
          FROM unnest(request_organizations, request_keys, runs) WITH ORDINALITY AS asked(organization_id, key, run, place)
          LEFT JOIN LATERAL (
            SELECT k.run, k.status, k.created_at FROM idempotency_keys k
            WHERE k.organization_id = asked.organization_id AND k.key = asked.key) AS known ON true
          WHERE CASE WHEN asked.run IS NULL THEN known.created_at >= now() - interval '24 hours'
                     ELSE known.run IS DISTINCT FROM asked.run OR known.status IS NOT NULL END);
END $$;
