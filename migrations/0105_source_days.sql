-- What an address that is being warmed up has sent to each provider, day by day in UTC: what it may send today follows from it.
CREATE TABLE source_days (
  address    text COLLATE "C" NOT NULL,
  provider   text COLLATE "C" NOT NULL,
  day        date NOT NULL,
  -- Promised to workers, which hand over at most so many.
  used       integer NOT NULL DEFAULT 0,
  delivered  integer NOT NULL DEFAULT 0,
  -- Refused, or put off, because of who sends.
  objected   integer NOT NULL DEFAULT 0,
  complained integer NOT NULL DEFAULT 0,
  PRIMARY KEY (address, provider, day)
);
