-- The smallest UUIDv7 of a moment: the bound between two partitions.
CREATE OR REPLACE FUNCTION uuid_v7_floor(moment timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
