-- Changes the counts of emails by day and status. Rows are changed in the order of their keys, so that two transactions cannot
-- deadlock. `version` tells readers that a day has changed.
CREATE OR REPLACE FUNCTION move_email_counts(
  count_organizations text[], count_days date[], count_statuses text[], count_moves bigint[]
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO email_counts AS c (organization_id, day, status, count)
  SELECT * FROM unnest(count_organizations, count_days, count_statuses, count_moves) ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, day, status)
  DO UPDATE SET count = c.count + excluded.count, version = c.version + 1;
  RETURN cardinality(count_moves);
END $$;
