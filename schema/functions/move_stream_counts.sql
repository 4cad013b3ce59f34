-- Changes the counts of emails by stream and hour, in the order of their keys.
CREATE OR REPLACE FUNCTION move_stream_counts(
  stream_organizations text[], streams text[], stream_hours timestamptz[], stream_accepted integer[],
  stream_delivered integer[] DEFAULT NULL, stream_bounced integer[] DEFAULT NULL, stream_failed integer[] DEFAULT NULL,
  stream_opened integer[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stream_counts AS c (organization_id, stream, hour, accepted, delivered, bounced, failed, opened)
  SELECT stream_organizations[i], new.stream, stream_hours[i], stream_accepted[i], coalesce(stream_delivered[i], 0),
         coalesce(stream_bounced[i], 0), coalesce(stream_failed[i], 0), coalesce(stream_opened[i], 0)
  FROM unnest(streams) WITH ORDINALITY AS new(stream, i) ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, stream, hour) DO UPDATE SET
    accepted = c.accepted + excluded.accepted,
    delivered = c.delivered + excluded.delivered,
    bounced = c.bounced + excluded.bounced,
    failed = c.failed + excluded.failed,
    opened = c.opened + excluded.opened;
  RETURN cardinality(streams);
END $$;
