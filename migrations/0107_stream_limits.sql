-- How many mails of a stream are sent in a minute and in an hour; null for any number.
ALTER TABLE streams
  ADD COLUMN messages_per_minute integer,
  ADD COLUMN messages_per_hour integer;

-- What was sent of streams that are limited, in the minute and the hour that are under way. Workers take from here before they send.
CREATE TABLE stream_paces (
  organization_id text COLLATE "C" NOT NULL,
  stream          text COLLATE "C" NOT NULL,
  -- Since 1970.
  minute          bigint NOT NULL,
  minute_sent     integer NOT NULL,
  hour            bigint NOT NULL,
  hour_sent       integer NOT NULL,
  PRIMARY KEY (organization_id, stream)
) WITH (fillfactor = 50);
