-- Which run of a request an answer belongs to. A run that was taken for dead must not complete what another one has
-- begun in its place: the same request would be done twice.
ALTER TABLE idempotency_keys ADD COLUMN run uuid;

-- Fails the transaction that an answer is part of when its run is not the one that the key belongs to any more.
CREATE FUNCTION assert_completed(completed bigint, expected integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF completed <> expected THEN
    RAISE EXCEPTION 'a request was taken over by another one with the same key' USING ERRCODE = 'PR002';
  END IF;
END $$;
