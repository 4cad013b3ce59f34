-- The last `most` elements of an array.
CREATE OR REPLACE FUNCTION newest_times(times integer[], most integer) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT times[greatest(1, cardinality(times) - most + 1):]
$$;
