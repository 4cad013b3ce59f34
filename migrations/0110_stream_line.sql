-- Until when mail of a limited stream waits in line already: new mail goes after it, which a dry run must know.
ALTER TABLE stream_paces ADD COLUMN line_until timestamptz;
