-- Whether somebody has shown that mail to their address reaches them. Those who are here already count as if they had:
-- nobody is to be asked anew because of an upgrade.
ALTER TABLE users ADD COLUMN email_proven_at timestamptz;
-- What only the sandbox's inbox proved ends with the sandbox. Null for those who set the installation up.
ALTER TABLE users ADD COLUMN email_proven_in text COLLATE "C" CHECK (email_proven_in IN ('sandbox', 'live'));
UPDATE users SET email_proven_at = now();

-- An invite that went by mail alone proves the address of whoever follows it.
ALTER TABLE invites ADD COLUMN mailed boolean NOT NULL DEFAULT false;

-- Two kinds of links by now: for a new password, and to confirm an address.
ALTER TABLE password_resets RENAME TO account_links;
ALTER INDEX password_resets_by_user RENAME TO account_links_by_user;
ALTER TABLE account_links ADD COLUMN purpose text COLLATE "C" NOT NULL DEFAULT 'password'
  CHECK (purpose IN ('password', 'address'));
-- Those that an operator prints prove nothing.
ALTER TABLE account_links ADD COLUMN mailed boolean NOT NULL DEFAULT true;
