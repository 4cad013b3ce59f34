-- What an organization says about disposable domains against the built-in lists. One row, few domains:
-- both lists are read and replaced whole.
CREATE TABLE validation_settings (
  organization_id  text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  disposable_allow text[] NOT NULL DEFAULT '{}',
  disposable_deny  text[] NOT NULL DEFAULT '{}',
  updated_at       timestamptz NOT NULL
);
