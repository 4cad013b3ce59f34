-- Changes the counts of emails by hour, in the order of their keys.
CREATE OR REPLACE FUNCTION move_hourly_counts(
  hour_organizations text[], hours timestamptz[], hour_accepted integer[], hour_delivered integer[] DEFAULT NULL,
  hour_bounced integer[] DEFAULT NULL, hour_failed integer[] DEFAULT NULL, hour_opened integer[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO hourly_counts AS c (organization_id, hour, accepted, delivered, bounced, failed, opened)
  SELECT hour_organizations[i], new.hour, hour_accepted[i], coalesce(hour_delivered[i], 0), coalesce(hour_bounced[i], 0),
         coalesce(hour_failed[i], 0), coalesce(hour_opened[i], 0)
  FROM unnest(hours) WITH ORDINALITY AS new(hour, i) ORDER BY 1, 2
  ON CONFLICT (organization_id, hour) DO UPDATE SET
    accepted = c.accepted + excluded.accepted,
    delivered = c.delivered + excluded.delivered,
    bounced = c.bounced + excluded.bounced,
    failed = c.failed + excluded.failed,
    opened = c.opened + excluded.opened;
  RETURN cardinality(hours);
END $$;
