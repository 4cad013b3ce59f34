-- Moving an organization to another cell.

-- Control: one row for each move, and how far it is. Where it was cut off it goes on from its step.
CREATE TABLE organization_moves (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              text COLLATE "C" NOT NULL,
  from_cell       text COLLATE "C" NOT NULL,
  to_cell         text COLLATE "C" NOT NULL,
  -- Rows go over while it is in use, or while nobody may use it.
  way             text NOT NULL CHECK (way IN ('replicated', 'offline')),
  step            text NOT NULL CHECK (step IN ('preparing', 'copying', 'quieting', 'moving', 'settling', 'clearing', 'ended')),
  started_by      text NOT NULL,
  started_at      timestamptz NOT NULL DEFAULT now(),
  step_at         timestamptz NOT NULL DEFAULT now(),
  -- How it ended, once it has.
  outcome         text CHECK (outcome IN ('moved', 'abandoned')),
  CHECK ((step = 'ended') = (outcome IS NOT NULL)),
  PRIMARY KEY (organization_id, id)
);

CREATE UNIQUE INDEX organization_moves_open ON organization_moves (organization_id) WHERE outcome IS NULL;

-- Each cell: organizations that come or leave. Nobody claims their mail here, their webhooks or anything else of theirs.
CREATE TABLE standstills (
  organization_id text COLLATE "C" PRIMARY KEY,
  -- No mail is accepted for it here any more, whatever the process that accepts it believes.
  is_closed       boolean NOT NULL DEFAULT false,
  since           timestamptz NOT NULL DEFAULT now()
);

-- Whoever waited for a connection longer than what it knew was good for would accept mail where the organization was.
CREATE OR REPLACE FUNCTION count_usage(
  usage_organizations text[], usage_days date[], usage_recipients integer[], must_fit boolean
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  rooms jsonb;
BEGIN
  IF EXISTS (SELECT FROM standstills s WHERE s.is_closed AND s.organization_id = ANY (usage_organizations)) THEN
    RAISE EXCEPTION 'the organization is being moved to another cell' USING ERRCODE = 'serialization_failure';
  END IF;
  WITH counted AS (
    INSERT INTO daily_usage AS u (organization_id, day, recipients)
    SELECT * FROM unnest(usage_organizations, usage_days, usage_recipients) ORDER BY 1, 2
    ON CONFLICT (organization_id, day) DO UPDATE SET recipients = u.recipients + excluded.recipients
    RETURNING u.organization_id, u.day, u.recipients,
              (SELECT o.daily_limit FROM organizations o WHERE o.id = u.organization_id) AS daily_limit
  )
  SELECT jsonb_agg(counted) INTO rooms FROM counted
  WHERE NOT must_fit OR (counted.daily_limit > 0 AND counted.recipients > counted.daily_limit);
  IF must_fit AND rooms IS NOT NULL THEN
    RAISE EXCEPTION 'a sending limit would be exceeded'
      USING ERRCODE = 'PR001', DETAIL = rooms -> 0 ->> 'organization_id';
  END IF;
  RETURN rooms;
END $$;
