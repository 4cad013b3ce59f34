-- Wrong codes after the right password, counted for each account by itself and not by each process, so that neither a
-- restart nor many network addresses give more tries. Devices that have signed in before are counted apart: whoever
-- knows the password must not keep its owner out.
CREATE TABLE second_factor_failures (
  user_id       text COLLATE "C" NOT NULL REFERENCES users (id),
  known_device  boolean NOT NULL,
  failures      integer NOT NULL,
  -- When the first of them was.
  since         timestamptz NOT NULL,
  -- Cool-downs so far: each is twice as long as the one before.
  rounds        integer NOT NULL DEFAULT 0,
  cooling_until timestamptz,
  notified_at   timestamptz,
  PRIMARY KEY (user_id, known_device)
);
