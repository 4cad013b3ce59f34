-- Takes one of the slots that an owner has for long reads, until the transaction ends. Fails with PR003 if all are taken.
CREATE OR REPLACE FUNCTION hold_read_slot(owner integer, slots integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR slot IN 1..slots LOOP
    IF pg_try_advisory_xact_lock(owner, slot) THEN RETURN; END IF;
  END LOOP;
  RAISE EXCEPTION 'all % slots are taken', slots USING ERRCODE = 'PR003';
END
$$;
