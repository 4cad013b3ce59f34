-- What holds a site up, each with since when and because of which reply: workers write them as they are, and only they and
-- those who show it read them. Times are milliseconds since 1970.
--   block   not to be tried before `untilMs`; `count` blocks in a row
--   slow    `pace` messages a minute, `fullPace` before it was slowed down
--   narrow  so many `connections` at a time
ALTER TABLE sites
  ADD COLUMN block  jsonb,
  ADD COLUMN slow   jsonb,
  ADD COLUMN narrow jsonb;

UPDATE sites SET block = jsonb_build_object(
  'untilMs', extract(epoch FROM blocked_until) * 1000, 'count', blocks,
  'sinceMs', extract(epoch FROM updated_at) * 1000, 'reason', reason, 'detail', detail)
WHERE blocked_until IS NOT NULL;

-- A slow time lasted 90 minutes whatever the site did; it starts anew, and finds its pace.
DELETE FROM sites WHERE paused_at IS NULL AND block IS NULL;

ALTER TABLE sites
  DROP CONSTRAINT sites_check,
  DROP COLUMN blocked_until,
  DROP COLUMN blocks,
  DROP COLUMN slow_until,
  DROP COLUMN reason,
  DROP COLUMN detail,
  ADD CHECK (paused_at IS NOT NULL OR block IS NOT NULL OR slow IS NOT NULL OR narrow IS NOT NULL);
