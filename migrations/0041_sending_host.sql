-- What live workers last found out about the names they send under: whether DNS, SPF and reverse DNS fit.
CREATE TABLE sending_hosts (
  host       text COLLATE "C" PRIMARY KEY,
  checked_at timestamptz NOT NULL,
  -- [{"about", "status", "message"}]
  findings   jsonb NOT NULL
);
