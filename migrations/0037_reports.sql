-- Reports that come by mail lie among the attempts, with a rule that begins with 'report-', and say who wrote them.
-- Null for attempts, and for reports of which nobody knows; nothing is rewritten.
ALTER TABLE attempts ADD COLUMN reported_by text;
