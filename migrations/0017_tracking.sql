-- Opens and unsubscribes.

-- Whether html mail gets a pixel where the request does not say.
ALTER TABLE organizations ADD COLUMN track_opens boolean NOT NULL DEFAULT false;

-- Whether the mail carries List-Unsubscribe headers of ours.
ALTER TABLE emails ADD COLUMN unsubscribe boolean NOT NULL DEFAULT false;

ALTER TABLE recipients
  -- The last open that was recorded: there is one event a minute at most.
  ADD COLUMN opened_at timestamptz,
  -- A prefetch must not swallow the first open by a person that comes within the minute.
  ADD COLUMN opened_by_person boolean NOT NULL DEFAULT false;

-- Of an `opened` event: what fetched the pixel. That it was a machine is said by its `reason`.
ALTER TABLE events ADD COLUMN user_agent text CHECK (length(user_agent) <= 256);
