-- Which kernel and which process numbers a worker's pid belongs to: two containers may have the same host name, and
-- looking for one's pid in the other would take a worker that runs for one that is gone. Workers of an older version
-- have none, and are only ever judged by their heartbeats.
ALTER TABLE workers ADD COLUMN machine text NOT NULL DEFAULT '';
