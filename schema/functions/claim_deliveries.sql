-- Claims these deliveries for a worker. The settings force the look-up by primary key whatever the statistics say.
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
