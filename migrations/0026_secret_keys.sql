-- Which master key is used from when on. Of the keys themselves only the ids are here.

CREATE TABLE secret_keys (
  id           text COLLATE "C" PRIMARY KEY CHECK (id ~ '^[0-9a-f]{16}$'),
  current_from timestamptz NOT NULL,
  -- Dropped for good; named here so that it is not taken for a new one.
  retired_at   timestamptz
);

-- Which keys each running process can read: a key is used only when all of them can.
CREATE TABLE secret_key_holders (
  process text COLLATE "C" PRIMARY KEY,
  name    text NOT NULL,
  key_ids text[] COLLATE "C" NOT NULL,
  seen_at timestamptz NOT NULL
);
