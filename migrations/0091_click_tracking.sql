-- Which links of mail are tracked where the request does not say.
ALTER TABLE organizations ADD COLUMN track_clicks text COLLATE "C" NOT NULL DEFAULT 'off'
  CHECK (track_clicks IN ('off', 'html', 'html_and_text'));
