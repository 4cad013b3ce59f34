-- What became of each TLS report, so that people can see it: sent, or no longer wanted; and why it had to be put off.
ALTER TABLE tls_reports
  ADD COLUMN outcome text,
  ADD COLUMN problem text;
