ALTER TABLE webhook_deliveries
  DROP CONSTRAINT webhook_deliveries_pkey,
  ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY USING INDEX webhook_deliveries_key;
