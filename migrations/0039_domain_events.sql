-- What is told about domains is kept nowhere but on its way: the message itself, ready to be sent. Null where the message is
-- put together from an event and its email. Nothing is rewritten.
ALTER TABLE webhook_deliveries ADD COLUMN payload jsonb;
