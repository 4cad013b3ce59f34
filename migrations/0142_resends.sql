-- The emails that were sent again, each with the new email.
CREATE TABLE resends (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  email_id        uuid NOT NULL,
  resend_id       uuid NOT NULL,
  PRIMARY KEY (organization_id, email_id, resend_id)
);
COMMENT ON TABLE resends IS
  'Emails that were sent again as new emails. The new email names the old one in its options, too.';
COMMENT ON COLUMN resends.email_id IS 'The email that was sent again.';
COMMENT ON COLUMN resends.resend_id IS 'The new email.';
