-- Whether mail of html alone gets a text part that is made from it.
ALTER TABLE emails ADD COLUMN text_from_html boolean NOT NULL DEFAULT false;
