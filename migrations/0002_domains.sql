-- Sending domains. Two organizations may each register the same name.

CREATE TABLE domains (
  id              text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  domain          text COLLATE "C" NOT NULL,
  spf_verified    boolean NOT NULL DEFAULT false,
  dkim_verified   boolean NOT NULL DEFAULT false,
  verified_at     timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, domain)
);
