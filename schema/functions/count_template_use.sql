-- Counts emails by template and day.
CREATE OR REPLACE FUNCTION count_template_use(used_organizations text[], used_templates text[], used_days date[], uses integer[])
RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO template_counts AS c (organization_id, template_id, day, count)
  SELECT * FROM unnest(used_organizations, used_templates, used_days, uses) ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, template_id, day) DO UPDATE SET count = c.count + excluded.count;
  RETURN cardinality(uses);
END $$;
