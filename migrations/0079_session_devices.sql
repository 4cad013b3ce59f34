-- Where a session was begun, for the person whose it is.
ALTER TABLE sessions ADD COLUMN address text, ADD COLUMN user_agent text;
