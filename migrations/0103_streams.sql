-- Kinds of mail that an organization keeps apart. `transactional` and `bulk` are there without a row.
CREATE TABLE streams (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  name            text COLLATE "C" NOT NULL,
  description     text,
  -- As in `emails`: of its mail that says no other.
  priority        smallint NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, name)
);
