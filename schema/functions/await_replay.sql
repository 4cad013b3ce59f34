-- On a standby: waits until it has replayed the log of `system` up to a position that the reader got from the primary. Fails
-- with PR004 after `patience_ms`, and on a server that is no standby of that system.
CREATE OR REPLACE FUNCTION await_replay(upto pg_lsn, system bigint, patience_ms integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  step_ms CONSTANT integer := 5;
BEGIN
  IF NOT pg_is_in_recovery() OR system <> (SELECT c.system_identifier FROM pg_control_system() c) THEN
    RAISE EXCEPTION 'this is no standby of that system' USING ERRCODE = 'PR004';
  END IF;
  FOR i IN 0..patience_ms / step_ms LOOP
    IF pg_last_wal_replay_lsn() >= upto THEN RETURN; END IF;
    PERFORM pg_sleep(step_ms / 1000.0);
  END LOOP;
  RAISE EXCEPTION 'this standby has not replayed % yet', upto USING ERRCODE = 'PR004';
END
$$;
