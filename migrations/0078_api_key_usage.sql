-- What each key was used for, by the UTC day.
CREATE TABLE api_key_usage (
  organization_id text COLLATE "C" NOT NULL,
  key_id          text COLLATE "C" NOT NULL,
  day             date NOT NULL,
  requests        bigint NOT NULL DEFAULT 0,
  refused         bigint NOT NULL DEFAULT 0,
  emails          bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, key_id, day)
) WITH (fillfactor = 50);
