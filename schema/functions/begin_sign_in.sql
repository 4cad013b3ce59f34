-- Counts a sign-in attempt towards all of these keys, or towards none if one of them is at its limit. Returns null, or the
-- moment from which the attempt may be repeated.
CREATE OR REPLACE FUNCTION begin_sign_in(keys bytea[], limits integer[], at timestamptz, ends timestamptz)
RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  refused timestamptz;
BEGIN
  -- Locks them all, always in the same order.
  INSERT INTO sign_in_attempts AS a (key, count, until)
  SELECT k, 0, ends FROM unnest(keys) AS k ORDER BY k
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN a.until <= at THEN 0 ELSE a.count END,
    until = CASE WHEN a.until <= at THEN EXCLUDED.until ELSE a.until END;
  SELECT max(a.until) INTO refused
  FROM sign_in_attempts a JOIN unnest(keys, limits) AS l (key, most) ON l.key = a.key
  WHERE a.count >= l.most;
  IF refused IS NULL THEN
    UPDATE sign_in_attempts AS a SET count = a.count + 1 WHERE a.key = ANY (keys);
  END IF;
  RETURN refused;
END
$$;
