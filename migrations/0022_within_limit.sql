-- A sending limit is checked where it is counted, so that the commit can follow without waiting for an answer.
-- PR001 is ours: PostgreSQL has no class PR.
CREATE FUNCTION assert_within_limit(organization text, used integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  most integer := (SELECT daily_limit FROM organizations WHERE id = organization);
BEGIN
  IF most > 0 AND used > most THEN
    RAISE EXCEPTION 'a sending limit would be exceeded' USING ERRCODE = 'PR001', DETAIL = organization;
  END IF;
END $$;
