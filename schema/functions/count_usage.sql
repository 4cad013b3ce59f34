-- Counts recipients towards the sending limit. Returns the new counts with the limits (0: no limit). With `must_fit` it fails
-- with PR001 if an organization exceeds its limit. Fails as well for an organization that is moving to another cell: a
-- process that still believes the organization to be here must not accept its mail.
CREATE OR REPLACE FUNCTION count_usage(
  usage_organizations text[], usage_days date[], usage_recipients integer[], must_fit boolean
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  rooms jsonb;
BEGIN
  IF EXISTS (SELECT FROM standstills s WHERE s.is_closed AND s.organization_id = ANY (usage_organizations)) THEN
    RAISE EXCEPTION 'the organization is being moved to another cell' USING ERRCODE = 'serialization_failure';
  END IF;
  WITH counted AS (
    INSERT INTO daily_usage AS u (organization_id, day, recipients)
    SELECT * FROM unnest(usage_organizations, usage_days, usage_recipients) ORDER BY 1, 2
    ON CONFLICT (organization_id, day) DO UPDATE SET recipients = u.recipients + excluded.recipients
    RETURNING u.organization_id, u.day, u.recipients,
              (SELECT o.daily_limit FROM organizations o WHERE o.id = u.organization_id) AS daily_limit
  )
  SELECT jsonb_agg(counted) INTO rooms FROM counted
  WHERE NOT must_fit OR (counted.daily_limit > 0 AND counted.recipients > counted.daily_limit);
  IF must_fit AND rooms IS NOT NULL THEN
    RAISE EXCEPTION 'a sending limit would be exceeded'
      USING ERRCODE = 'PR001', DETAIL = rooms -> 0 ->> 'organization_id';
  END IF;
  RETURN rooms;
END $$;
