-- A user whom the operator has disabled keeps memberships and password, and cannot sign in.
ALTER TABLE users ADD COLUMN disabled boolean NOT NULL DEFAULT false;
