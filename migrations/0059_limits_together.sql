-- What several processes count together. Nothing of it is worth keeping over a crash.

CREATE UNLOGGED TABLE request_shares (
  caller  text COLLATE "C" PRIMARY KEY,
  -- Since 1970, by this server's clock.
  minute  integer NOT NULL,
  taken   integer NOT NULL,
  -- By whoever asked last.
  granted integer NOT NULL
) WITH (fillfactor = 50);

-- Failed sign-ins. The keys are hashes: nobody's address is here.
CREATE UNLOGGED TABLE sign_in_attempts (
  key    bytea PRIMARY KEY,
  count  integer NOT NULL,
  until  timestamptz NOT NULL
);

-- Counts an attempt towards all of these, or towards none: then it says when the last of those ends that are full.
CREATE FUNCTION begin_sign_in(keys bytea[], limits integer[], at timestamptz, ends timestamptz)
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

-- One of the statements that an owner may have running at once, for as long as the transaction lasts.
CREATE FUNCTION hold_read_slot(owner integer, slots integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR slot IN 1..slots LOOP
    IF pg_try_advisory_xact_lock(owner, slot) THEN RETURN; END IF;
  END LOOP;
  RAISE EXCEPTION 'all % slots are taken', slots USING ERRCODE = 'PR003';
END
$$;
