-- In this order: what walks through the queue by email goes on doing so, and settling finds a row by either key.
ALTER TABLE outbox
  DROP CONSTRAINT outbox_pkey,
  ADD CONSTRAINT outbox_pkey PRIMARY KEY USING INDEX outbox_key;

-- Gives these deliveries, which the caller has locked, to a worker.
--
-- The first claim that is followed by an attempt leaves its time: one that was given back untried is taken off the count
-- again, so that mail which waits for days to be tried is not days old when it is.
CREATE FUNCTION claim_deliveries(claimant bigint, organization_ids text[], email_ids uuid[], positions smallint[])
RETURNS SETOF outbox LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY
  UPDATE outbox o SET worker = claimant, attempt = o.attempt + 1,
    first_attempt_at = CASE WHEN o.attempt = 0 THEN now() ELSE coalesce(o.first_attempt_at, now()) END
  FROM unnest(organization_ids, email_ids, positions) AS due(organization_id, email_id, position)
  WHERE o.email_id = due.email_id AND o.position = due.position AND o.organization_id = due.organization_id
  RETURNING o.*;
END $$;
