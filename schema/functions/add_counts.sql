-- Adds two arrays of counts element by element; the shorter one counts as 0 at its end.
CREATE OR REPLACE FUNCTION add_counts(one integer[], other integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN other = '{}' THEN one ELSE ARRAY(
    SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(one, other) WITH ORDINALITY AS pair(a, b, place) ORDER BY place
  ) END
$$;
