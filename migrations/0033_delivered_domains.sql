-- When the site last took mail for the domain: what the domain says about the site is believed on the strength of it.
-- Written once a day for each domain that is delivered to, with what is written about it anyway.
ALTER TABLE site_domains ADD COLUMN delivered_at timestamptz;
