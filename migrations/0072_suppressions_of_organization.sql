-- Two entries for one address are told by its columns now, not by an expression.
ALTER TABLE suppressions
  DROP CONSTRAINT suppressions_address,
  ADD CONSTRAINT suppressions_address UNIQUE USING INDEX suppressions_key;
