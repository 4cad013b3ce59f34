-- When somebody first looked at a message of the sandbox's inbox.
ALTER TABLE sandbox_messages ADD COLUMN read_at timestamptz;
