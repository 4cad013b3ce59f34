-- An undo first takes bounces back, then the rejections that followed from the suppressions that came from them.
ALTER TABLE undos ADD COLUMN stage text NOT NULL DEFAULT 'bounces';

-- What an undo that is under way has taken off the suppression list, and since when it stood there.
CREATE TABLE lifted_suppressions (
  undo_id text COLLATE "C" NOT NULL REFERENCES undos,
  -- In lower case.
  address text COLLATE "C" NOT NULL,
  since   timestamptz NOT NULL,
  PRIMARY KEY (undo_id, address)
);
