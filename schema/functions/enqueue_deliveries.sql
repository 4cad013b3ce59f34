-- Writes one outbox row per recipient. A delivery without `due` is due now, by the clock of the database, which also decides
-- what is due. `recipient_numbers` says which email a recipient belongs to.
CREATE OR REPLACE FUNCTION enqueue_deliveries(
  -- Of each email, or of each delivery without `recipient_numbers`.
  organization_ids text[], email_ids uuid[], priorities smallint[], due float8[], expiring float8[], sizes integer[],
  modes text[],
  recipient_numbers integer[], positions smallint[], domains text[]
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (organization_id, email_id, position, domain, priority, due_at, expires_at, size, mode)
  SELECT organization_ids[n], email_ids[n], new.position, domains[i], priorities[n],
         coalesce(to_timestamp(due[n] / 1000.0), now()), to_timestamp(expiring[n] / 1000.0), sizes[n], modes[n]
  FROM unnest(positions) WITH ORDINALITY AS new(position, i),
       LATERAL (SELECT coalesce(recipient_numbers[i], i)) AS email(n);
  RETURN cardinality(positions);
END $$;
