-- Clicks by people, by the hour in which the email was accepted: of the mail of one hour it is told how much was followed.

CREATE TABLE click_counts (
  organization_id text COLLATE "C" NOT NULL,
  hour            timestamptz NOT NULL,
  -- Recipients who followed a link, each once.
  recipients      integer NOT NULL,
  PRIMARY KEY (organization_id, hour)
);
