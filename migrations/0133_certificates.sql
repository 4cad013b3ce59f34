-- Certificates by ACME, the accounts they are ordered with, and open challenges. All processes of the API share them.
CREATE TABLE acme_accounts (
  directory_url text COLLATE "C" PRIMARY KEY,
  sealed_key    bytea NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE certificates (
  id               text COLLATE "C" PRIMARY KEY,
  directory_url    text COLLATE "C" NOT NULL,
  name             text COLLATE "C" NOT NULL,
  -- PEM and its key; null until the first certificate is issued.
  chain            text,
  sealed_key       bytea,
  issued_at        timestamptz,
  expires_at       timestamptz,
  -- An order under way. The key is stored before the certificate is issued: a killed process loses neither.
  order_url        text,
  sealed_order_key bytea,
  -- The next attempt.
  due_at           timestamptz NOT NULL DEFAULT now(),
  failures         integer NOT NULL DEFAULT 0,
  last_error       text,
  failed_at        timestamptz,
  -- The process that works on it; another may take over when the lease is over.
  holder           uuid,
  held_until       timestamptz,
  -- When a process last wanted a certificate for the name, to the hour.
  wanted_at        timestamptz NOT NULL DEFAULT now(),
  UNIQUE (directory_url, name),
  CHECK ((chain IS NULL) = (sealed_key IS NULL)),
  CHECK ((order_url IS NULL) = (sealed_order_key IS NULL))
);

CREATE TABLE acme_challenges (
  token             text COLLATE "C" PRIMARY KEY,
  name              text COLLATE "C" NOT NULL,
  key_authorization text NOT NULL,
  expires_at        timestamptz NOT NULL
);
