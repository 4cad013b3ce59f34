-- What became of deliveries, by the hour in which it happened: what the page about deliverability is drawn from.

CREATE TABLE delivery_counts (
  organization_id text COLLATE "C" NOT NULL,
  -- What the deliveries of a row have in common, and its name; '' where that is not known, or one name too many.
  dimension       text COLLATE "C" NOT NULL CHECK (dimension IN ('provider', 'domain', 'template', 'tag', 'stream', 'reason')),
  hour            timestamptz NOT NULL,
  name            text COLLATE "C" NOT NULL,
  -- Tried for the first time.
  sent            integer NOT NULL,
  delivered       integer NOT NULL,
  deferred        integer NOT NULL,
  bounced         integer NOT NULL,
  failed          integer NOT NULL,
  -- How many of the delivered took how long, by class (stats/took-classes.ts); empty where nobody counts that.
  took            integer[] NOT NULL,
  PRIMARY KEY (organization_id, dimension, hour, name)
) WITH (fillfactor = 50);

CREATE FUNCTION add_counts(one integer[], other integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN other = '{}' THEN one ELSE ARRAY(
    SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(one, other) WITH ORDINALITY AS pair(a, b, place) ORDER BY place
  ) END
$$;
