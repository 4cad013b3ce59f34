ALTER TABLE emails ADD COLUMN stream text COLLATE "C";
COMMENT ON COLUMN emails.stream IS
  'The stream of the email. Null: transactional, or an email accepted before this column, which has the stream as the tag "message-stream".';
COMMENT ON COLUMN emails.tags IS
  'Tags of the request.';
