-- The schema of a Postrider database after all migrations, for reading. Nothing runs this file.
-- Written by `npm run schema`; test/database/schema.test.ts compares it with a migrated database.
-- The comments above tables and columns are the database's own (COMMENT ON).
-- Partitions are left out: ensure_email_partitions() makes one of each partitioned table for every week.

-- A file of the email with this number among those of the same call, from 1.
CREATE TYPE new_attachment AS (
  email_number integer,
  position smallint,
  filename text,
  content_type text,
  content_id text,
  content bytea
);

-- The content of the email at the same place.
CREATE TYPE new_content AS (
  html text,
  text text,
  headers jsonb,
  template_data jsonb,
  mime bytea
);

-- An accepted email without its organization and its content. Its size, expires_at and due_at are those of
-- its deliveries.
CREATE TYPE new_email AS (
  id uuid,
  created_at timestamp with time zone,
  priority smallint,
  size integer,
  expires_at timestamp with time zone,
  due_at timestamp with time zone,
  track_opens boolean,
  unsubscribe boolean,
  unsubscribe_group text,
  scheduled_at timestamp with time zone,
  expires_in integer,
  from_email text,
  from_name text,
  subject text,
  addresses jsonb,
  options jsonb,
  tags jsonb,
  metadata jsonb,
  batch_id text,
  template_id text,
  template_version integer,
  search integer[],
  api_key_id text,
  text_from_html boolean
);

-- A recipient of the email with this number among those of the same call, from 1, with its delivery and its
-- queued event.
CREATE TYPE new_recipient AS (
  email_number integer,
  position smallint,
  kind text,
  address text,
  domain text,
  event_id uuid
);

-- One-time links that were mailed to a user, or printed for one by an operator: to set a password or to
-- confirm an address.
CREATE TABLE account_links (
  -- SHA-256 of the secret in the link. The secret itself is not stored.
  hash bytea NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  -- password: the link sets a new password. address: the link confirms the email address.
  purpose text COLLATE "C" NOT NULL DEFAULT 'password'::text,
  -- False for links that an operator printed: following one does not prove that mail reaches the address.
  mailed boolean NOT NULL DEFAULT true,
  CONSTRAINT password_resets_pkey PRIMARY KEY (hash),
  CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT account_links_purpose_check CHECK ((purpose = ANY (ARRAY['password'::text, 'address'::text]))),
  CONSTRAINT password_resets_hash_check CHECK ((octet_length(hash) = 32))
);
CREATE INDEX account_links_by_user ON account_links USING btree (user_id);

-- The account at each ACME directory that TLS certificates are ordered from.
CREATE TABLE acme_accounts (
  directory_url text COLLATE "C" NOT NULL,
  -- Private key of the account, encrypted with the secret key of the installation.
  sealed_key bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT acme_accounts_pkey PRIMARY KEY (directory_url)
);

-- Open challenges. Every API process answers them, whichever worker runs the order.
CREATE TABLE acme_challenges (
  token text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  key_authorization text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT acme_challenges_pkey PRIMARY KEY (token)
);

-- How many requests and emails each API key was used for, one row per key and UTC day.
CREATE TABLE api_key_usage (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  -- Requests that were answered with an error.
  refused bigint NOT NULL DEFAULT 0,
  -- Emails that were accepted.
  emails bigint NOT NULL DEFAULT 0,
  CONSTRAINT api_key_usage_pkey PRIMARY KEY (organization_id, key_id, day)
) WITH (fillfactor=50);

-- API keys. Each belongs to exactly one organization. Revoked keys stay, so that they can still be listed.
CREATE TABLE api_keys (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- The beginning of the key, shown in lists.
  prefix text NOT NULL,
  -- SHA-256 of the key. The key itself is not stored.
  hash bytea NOT NULL,
  -- full: everything. read: reads everything, changes nothing. send: sends and reads its own mail. agent:
  -- sends under a policy.
  scope text NOT NULL,
  -- The only sender domain that the key may use. Null: any verified domain of the organization.
  domain text COLLATE "C",
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone,
  -- To the minute.
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  -- The user who made the key, or whose key made it. The key ends when this user leaves. Null for keys that
  -- the operator made.
  created_by text COLLATE "C",
  -- The key that replaces this one after a rotation. Both work until expires_at of this one.
  replaced_by text COLLATE "C",
  -- Limits on what a key of scope agent or send may send. Null: only scope and domain limit the key.
  policy jsonb,
  -- The key whose daily budget this key uses: the first in a chain of rotations. Null: its own.
  budget_of text COLLATE "C",
  -- The API key whose request created this key; null for keys of people and of the operator.
  created_by_key text COLLATE "C",
  CONSTRAINT api_keys_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT api_keys_hash_key UNIQUE (hash),
  CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT api_keys_check CHECK (((policy IS NULL) OR (scope = ANY (ARRAY['agent'::text, 'send'::text])))),
  CONSTRAINT api_keys_hash_check CHECK ((octet_length(hash) = 32)),
  CONSTRAINT api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  CONSTRAINT api_keys_not_of_installation CHECK ((organization_id <> 'org_0000000000000'::text)),
  CONSTRAINT api_keys_scope_check CHECK ((scope = ANY (ARRAY['full'::text, 'read'::text, 'agent'::text, 'send'::text])))
);
CREATE INDEX api_keys_by_organization ON api_keys USING btree (organization_id, created_at);

-- Emails that wait, or waited, for the approval of a user before they are sent.
CREATE TABLE approvals (
  organization_id text COLLATE "C" NOT NULL,
  email_id uuid NOT NULL,
  api_key_id text COLLATE "C" NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  -- Null while the email waits. Its deliveries are parked in the outbox with the hold "approval" meanwhile.
  decision text,
  decided_at timestamp with time zone,
  -- The id of the user who decided.
  decided_by text COLLATE "C",
  reason text,
  CONSTRAINT approvals_pkey PRIMARY KEY (organization_id, email_id),
  CONSTRAINT approvals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT approvals_check CHECK (((decision IS NULL) = (decided_at IS NULL))),
  CONSTRAINT approvals_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'rejected'::text, 'expired'::text, 'withdrawn'::text])))
);
CREATE INDEX approvals_expiring ON approvals USING btree (expires_at) WHERE (decision IS NULL);
CREATE INDEX approvals_waiting ON approvals USING btree (organization_id, email_id) WHERE (decision IS NULL);

-- Reports about deliveries that arrived by mail, and attempts of earlier releases. Attempts are in events.
CREATE TABLE attempts (
  organization_id text COLLATE "C" NOT NULL,
  email_id uuid NOT NULL,
  -- UUIDv7 of the moment at which the attempt ended.
  id uuid NOT NULL,
  -- The recipient, as recipients.position.
  position smallint NOT NULL,
  -- The number of the attempt, from 1.
  attempt smallint NOT NULL,
  duration_ms integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  next_attempt_at timestamp with time zone,
  outcome text COLLATE "C" NOT NULL,
  -- A code from the list of outcome reasons. Null where nothing has to be explained.
  reason text COLLATE "C",
  -- The rule of the failure policy that decided. It begins with "report-" for delivery reports that came by
  -- mail.
  rule text COLLATE "C",
  mx_host text,
  tls text,
  -- The reply of the server, or our own message where no server answered.
  detail text,
  -- SMTP commands and replies, one per line, without content and credentials. Null where there was no
  -- connection.
  conversation text,
  -- For a delivery report that came by mail: the reporter. Null for attempts.
  reported_by text,
  -- What the certificate of the server says: verified, policy, issuer and problem. Null without TLS.
  tls_certificate jsonb,
  -- The transport that the attempt used and the rule that chose it. Null where the route table was empty.
  route jsonb,
  -- Hash, size and DKIM signatures of the message that the server accepted, packed. Null where none was
  -- accepted.
  evidence bytea,
  CONSTRAINT attempts_pkey PRIMARY KEY (organization_id, email_id, id),
  CONSTRAINT attempts_conversation_check CHECK ((length(conversation) <= 2048)),
  CONSTRAINT attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'deferred'::text, 'bounced'::text, 'failed'::text, 'rejected'::text])))
) PARTITION BY RANGE (email_id);

-- Problems that webhooks were told of, until they are over for ten minutes.
CREATE TABLE attention_notices (
  organization_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- The id or name of the object that has the problem; empty where the problem is the organization's.
  subject text COLLATE "C" NOT NULL,
  severity text COLLATE "C" NOT NULL,
  raised_at timestamp with time zone NOT NULL,
  -- When the problem was last found.
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT attention_notices_pkey PRIMARY KEY (organization_id, kind, subject)
);

-- What users, API keys and operators changed. Rows are never removed.
CREATE TABLE audit_log (
  organization_id text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  action text COLLATE "C" NOT NULL,
  actor_type text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  -- The name at that time, because the user or key may be deleted later.
  actor_name text NOT NULL,
  target_id text,
  -- The name at that time, because the object may be deleted later.
  target_name text,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  -- The network address that the change came from.
  address text NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT audit_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT audit_log_actor_type_check CHECK ((actor_type = ANY (ARRAY['user'::text, 'api_key'::text, 'operator'::text])))
);
CREATE INDEX audit_log_of_webhooks ON audit_log USING btree (organization_id, target_id, id) WHERE (action = ANY (ARRAY['webhook.created'::text, 'webhook.updated'::text]));

-- Attachments that all emails of a batch share, stored once. An email finds them by its batch_id.
CREATE TABLE batch_attachments (
  organization_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  position smallint NOT NULL,
  -- The time of the first email of the batch. The others follow within minutes.
  created_at timestamp with time zone NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  -- For inline images: the Content-ID that the html refers to.
  content_id text,
  content bytea NOT NULL,
  CONSTRAINT batch_attachments_pkey PRIMARY KEY (organization_id, batch_id, "position")
);

-- Gradual moves of the mail of a route rule from one transport to another.
CREATE TABLE canaries (
  -- The name that the route rule gives it.
  name text COLLATE "C" NOT NULL,
  -- The transport that mail is moved to.
  transport text NOT NULL,
  paused_at timestamp with time zone,
  -- When a worker last checked the move. The worker locks the row, so one worker checks at a time.
  looked_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  CONSTRAINT canaries_pkey PRIMARY KEY (name)
);

-- Results of a canary in steps of ten seconds, for both transports. Rows are folded into canary_shares after
-- an hour.
CREATE TABLE canary_counts (
  canary text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  -- old: the transport before the move. new: the transport that mail is moved to.
  way text COLLATE "C" NOT NULL,
  at timestamp with time zone NOT NULL,
  sent integer NOT NULL DEFAULT 0,
  deferred integer NOT NULL DEFAULT 0,
  bounced integer NOT NULL DEFAULT 0,
  complained integer NOT NULL DEFAULT 0,
  CONSTRAINT canary_counts_pkey PRIMARY KEY (canary, provider, way, at),
  CONSTRAINT canary_counts_way_check CHECK ((way = ANY (ARRAY['old'::text, 'new'::text])))
);

-- How far each canary has come with each provider.
CREATE TABLE canary_shares (
  canary text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  -- The share of mail that takes the new transport.
  percent double precision NOT NULL,
  -- When this percentage was set.
  since timestamp with time zone NOT NULL DEFAULT now(),
  paused_at timestamp with time zone,
  -- How often the share was reduced because results were worse.
  falls integer NOT NULL DEFAULT 0,
  -- Results since then, without those that are still in canary_counts.
  counted jsonb NOT NULL DEFAULT '{}'::jsonb,
  -- Results of the old transport in the previous step, for comparison.
  usual jsonb,
  CONSTRAINT canary_shares_pkey PRIMARY KEY (canary, provider),
  CONSTRAINT canary_shares_canary_fkey FOREIGN KEY (canary) REFERENCES canaries(name) ON DELETE CASCADE,
  CONSTRAINT canary_shares_percent_check CHECK (((percent >= (0)::double precision) AND (percent <= (100)::double precision)))
);

-- Every change of a canary, by a worker or a user.
CREATE TABLE canary_steps (
  id uuid NOT NULL,
  canary text COLLATE "C" NOT NULL,
  transport text NOT NULL,
  -- Null where the change concerned all providers.
  provider text COLLATE "C",
  kind text NOT NULL,
  from_percent double precision,
  to_percent double precision,
  message text NOT NULL,
  -- The results that the decision is based on. Null where a user decided.
  numbers jsonb,
  at timestamp with time zone NOT NULL,
  CONSTRAINT canary_steps_pkey PRIMARY KEY (id),
  CONSTRAINT canary_steps_kind_check CHECK ((kind = ANY (ARRAY['rise'::text, 'fall'::text, 'pause'::text, 'resume'::text, 'back'::text, 'finish'::text])))
);
CREATE INDEX canary_steps_at ON canary_steps USING btree (at);

-- The installation and the cell that this database or schema belongs to. One row, written when it is first
-- used.
CREATE TABLE cell_identity (
  is_only boolean NOT NULL DEFAULT true,
  -- Created with the control database; the same in every cell.
  installation_id uuid NOT NULL,
  cell text COLLATE "C" NOT NULL,
  CONSTRAINT cell_identity_pkey PRIMARY KEY (is_only),
  CONSTRAINT cell_identity_cell_check CHECK (((length(cell) >= 1) AND (length(cell) <= 40))),
  CONSTRAINT cell_identity_is_only_check CHECK (is_only)
);

-- TLS certificates by ACME: one row per directory and name, with the state of its order.
CREATE TABLE certificates (
  id text COLLATE "C" NOT NULL,
  directory_url text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  -- Certificate chain in PEM. Null until the first certificate is issued.
  chain text,
  -- Private key of the certificate, encrypted with the secret key of the installation.
  sealed_key bytea,
  issued_at timestamp with time zone,
  expires_at timestamp with time zone,
  -- The order in progress. Its URL and key are stored before the certificate is issued, so that a killed
  -- process loses neither.
  order_url text,
  sealed_order_key bytea,
  -- Time of the next attempt.
  due_at timestamp with time zone NOT NULL DEFAULT now(),
  failures integer NOT NULL DEFAULT 0,
  last_error text,
  failed_at timestamp with time zone,
  -- The process that works on the order until held_until. Afterwards another process may take over.
  holder uuid,
  held_until timestamp with time zone,
  -- When a process last asked for a certificate of this name, to the hour.
  wanted_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT certificates_pkey PRIMARY KEY (id),
  CONSTRAINT certificates_directory_url_name_key UNIQUE (directory_url, name),
  CONSTRAINT certificates_check CHECK (((chain IS NULL) = (sealed_key IS NULL))),
  CONSTRAINT certificates_check1 CHECK (((order_url IS NULL) = (sealed_order_key IS NULL)))
);

-- How many recipients followed a link, by the hour in which their email was accepted.
CREATE TABLE click_counts (
  organization_id text COLLATE "C" NOT NULL,
  hour timestamp with time zone NOT NULL,
  -- Recipients who followed at least one link, each counted once. Clicks by machines are not counted.
  recipients integer NOT NULL,
  CONSTRAINT click_counts_pkey PRIMARY KEY (organization_id, hour)
);

-- The newest email for each collapse key and recipient. Older emails with the same key that still wait are
-- not sent.
CREATE TABLE collapse_keys (
  organization_id text COLLATE "C" NOT NULL,
  -- Hash of the sender domain, the collapse key and the recipient.
  digest bytea NOT NULL,
  email_id uuid NOT NULL,
  position smallint NOT NULL,
  -- When the transaction began that accepted the email.
  began_at timestamp with time zone NOT NULL DEFAULT now(),
  -- When this row was written.
  noted_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT collapse_keys_pkey PRIMARY KEY (organization_id, digest)
);
CREATE INDEX collapse_keys_by_email ON collapse_keys USING btree (email_id);

-- Complaints, by the hour in which the email was accepted. Separate from hourly_counts, because two
-- transactions that change both in different orders could deadlock.
CREATE TABLE complaint_counts (
  organization_id text COLLATE "C" NOT NULL,
  hour timestamp with time zone NOT NULL,
  complaints integer NOT NULL,
  CONSTRAINT complaint_counts_pkey PRIMARY KEY (organization_id, hour)
);

-- How far the content of an organization's emails of one week was moved to object storage.
CREATE TABLE content_weeks (
  organization_id text COLLATE "C" NOT NULL,
  -- The Monday of the week.
  week date NOT NULL,
  -- The last email that this pass looked at. Null at the beginning of a pass.
  looked_to uuid,
  -- Emails of this pass that were not final yet.
  skipped integer NOT NULL DEFAULT 0,
  -- When the next pass begins. Null once all content of the week is moved.
  due_at timestamp with time zone,
  CONSTRAINT content_weeks_pkey PRIMARY KEY (organization_id, week)
);
CREATE INDEX content_weeks_due ON content_weeks USING btree (due_at) WHERE (due_at IS NOT NULL);

-- Sent emails that belong to a conversation with received mail.
CREATE TABLE conversation_emails (
  organization_id text COLLATE "C" NOT NULL,
  email_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  CONSTRAINT conversation_emails_pkey PRIMARY KEY (organization_id, email_id),
  CONSTRAINT conversation_emails_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX conversation_emails_of ON conversation_emails USING btree (organization_id, conversation_id, email_id);

-- How many recipients each organization was accepted for on a UTC day. The sending limit is checked against
-- it.
CREATE TABLE daily_usage (
  organization_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  recipients integer NOT NULL,
  CONSTRAINT daily_usage_pkey PRIMARY KEY (organization_id, day),
  CONSTRAINT daily_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT daily_usage_recipients_check CHECK ((recipients >= 0))
) WITH (fillfactor=50);

-- Keys that must stay the same when the secret key is rotated.
CREATE TABLE data_keys (
  name text COLLATE "C" NOT NULL,
  -- Encrypted with the secret key, bound to the name.
  sealed bytea NOT NULL,
  CONSTRAINT data_keys_pkey PRIMARY KEY (name)
);

-- Results of deliveries by the hour in which they happened. The deliverability page reads them.
CREATE TABLE delivery_counts (
  organization_id text COLLATE "C" NOT NULL,
  -- What the deliveries of a row have in common: provider, domain, template, tag, stream or reason.
  dimension text COLLATE "C" NOT NULL,
  hour timestamp with time zone NOT NULL,
  -- Which provider, domain and so on. Empty where the name is unknown, or where the hour already has too many
  -- names.
  name text COLLATE "C" NOT NULL,
  -- Deliveries that were attempted for the first time.
  sent integer NOT NULL,
  delivered integer NOT NULL,
  deferred integer NOT NULL,
  bounced integer NOT NULL,
  failed integer NOT NULL,
  -- How many of the delivered took how long, one number per latency class. Empty where this is not counted.
  took integer[] NOT NULL,
  complained integer NOT NULL DEFAULT 0,
  CONSTRAINT delivery_counts_pkey PRIMARY KEY (organization_id, dimension, hour, name),
  CONSTRAINT delivery_counts_dimension_check CHECK ((dimension = ANY (ARRAY['provider'::text, 'domain'::text, 'template'::text, 'tag'::text, 'stream'::text, 'reason'::text])))
) WITH (fillfactor=50);

-- The second DKIM key of a domain: the next one before the switch, the previous one after it.
CREATE TABLE dkim_rotations (
  domain_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  selector text COLLATE "C" NOT NULL,
  -- SubjectPublicKeyInfo, DER.
  public_key bytea NOT NULL,
  -- Encrypted, bound to the domain's id. Null once the rotation is finished.
  private_key bytea,
  -- What DNS last said about the record of the next key.
  last_check jsonb,
  started_at timestamp with time zone NOT NULL,
  -- Since when every check has found the record of the next key.
  seen_at timestamp with time zone,
  -- Mail that is first attempted from then on is signed with the new key.
  switched_at timestamp with time zone,
  -- When the private key of the previous key is removed.
  retires_at timestamp with time zone,
  organization_id text COLLATE "C" NOT NULL,
  CONSTRAINT dkim_rotations_pkey PRIMARY KEY (domain_id, organization_id),
  CONSTRAINT dkim_rotations_selector_key UNIQUE (organization_id, selector),
  CONSTRAINT dkim_rotations_domain_id_fkey FOREIGN KEY (domain_id, organization_id) REFERENCES domains(id, organization_id) ON DELETE CASCADE,
  CONSTRAINT dkim_rotations_check CHECK (((private_key IS NULL) = (status = 'finished'::text))),
  CONSTRAINT dkim_rotations_check1 CHECK (((switched_at IS NULL) = (status = 'waiting_for_dns'::text))),
  CONSTRAINT dkim_rotations_selector_check CHECK ((selector ~ '^[a-z0-9]{1,24}$'::text)),
  CONSTRAINT dkim_rotations_status_check CHECK ((status = ANY (ARRAY['waiting_for_dns'::text, 'switched'::text, 'finished'::text])))
);
CREATE UNIQUE INDEX dkim_rotations_of_domain ON dkim_rotations USING btree (domain_id);
CREATE INDEX dkim_rotations_retiring ON dkim_rotations USING btree (retires_at) WHERE (status = 'switched'::text);
CREATE TRIGGER dkim_rotation_of_organization BEFORE INSERT ON dkim_rotations FOR EACH ROW WHEN ((new.organization_id IS NULL)) EXECUTE FUNCTION dkim_rotation_of_organization();

-- Rows of DMARC aggregate reports about an organization's domains.
CREATE TABLE dmarc_rows (
  organization_id text COLLATE "C" NOT NULL,
  domain_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL DEFAULT 'dmarc'::text,
  -- The report, as domain_reports.digest.
  digest bytea NOT NULL,
  position integer NOT NULL,
  day date NOT NULL,
  -- Null: many small rows, added up.
  source_ip inet,
  messages bigint NOT NULL,
  disposition text COLLATE "C" NOT NULL,
  dkim_aligned boolean NOT NULL,
  spf_aligned boolean NOT NULL,
  header_from text NOT NULL,
  envelope_from text,
  dkim_domain text,
  dkim_result text COLLATE "C",
  spf_domain text,
  spf_result text COLLATE "C",
  CONSTRAINT dmarc_rows_pkey PRIMARY KEY (organization_id, domain_id, digest, "position"),
  CONSTRAINT dmarc_rows_organization_id_domain_id_kind_digest_fkey FOREIGN KEY (organization_id, domain_id, kind, digest) REFERENCES domain_reports(organization_id, domain_id, kind, digest) ON DELETE CASCADE,
  CONSTRAINT dmarc_rows_disposition_check CHECK ((disposition = ANY (ARRAY['none'::text, 'quarantine'::text, 'reject'::text]))),
  CONSTRAINT dmarc_rows_kind_check CHECK ((kind = 'dmarc'::text)),
  CONSTRAINT dmarc_rows_messages_check CHECK ((messages > 0))
);
CREATE INDEX dmarc_rows_day ON dmarc_rows USING btree (organization_id, domain_id, day);

-- DMARC and TLS reports that receivers sent about an organization's domains. A report counts once.
CREATE TABLE domain_reports (
  organization_id text COLLATE "C" NOT NULL,
  domain_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- Hash of reporter, report number, domain and time. The same report sent again has the same digest.
  digest bytea NOT NULL,
  reporter text NOT NULL,
  begins_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  received_at timestamp with time zone NOT NULL,
  row_count integer NOT NULL,
  CONSTRAINT domain_reports_pkey PRIMARY KEY (organization_id, domain_id, kind, digest),
  CONSTRAINT domain_reports_domain_id_organization_id_fkey FOREIGN KEY (domain_id, organization_id) REFERENCES domains(id, organization_id) ON DELETE CASCADE,
  CONSTRAINT domain_reports_kind_check CHECK ((kind = ANY (ARRAY['dmarc'::text, 'tls'::text])))
);
CREATE INDEX domain_reports_ends ON domain_reports USING btree (ends_at);
CREATE INDEX domain_reports_received ON domain_reports USING btree (organization_id, domain_id, received_at);

-- Tracking settings of a domain that differ from the organization's, and the domain's own host for links.
CREATE TABLE domain_tracking (
  organization_id text COLLATE "C" NOT NULL,
  domain_id text COLLATE "C" NOT NULL,
  -- Null: as the organization.
  track_opens boolean,
  -- Null: as the organization.
  track_clicks text COLLATE "C",
  -- Links in mail of this domain are on this host. Null: on the installation's.
  host text COLLATE "C",
  -- DNS leads from the host to this installation, so a certificate may be requested for it.
  host_points boolean NOT NULL DEFAULT false,
  -- The host answers as this installation, so links may use it.
  host_answers boolean NOT NULL DEFAULT false,
  -- The result of the last check. Null before the first.
  host_check jsonb,
  host_checked_at timestamp with time zone,
  -- Failed checks in a row. Checks become rarer with each.
  host_failures integer NOT NULL DEFAULT 0,
  CONSTRAINT domain_tracking_pkey PRIMARY KEY (organization_id, domain_id),
  CONSTRAINT domain_tracking_domain_id_organization_id_fkey FOREIGN KEY (domain_id, organization_id) REFERENCES domains(id, organization_id) ON DELETE CASCADE,
  CONSTRAINT domain_tracking_track_clicks_check CHECK ((track_clicks = ANY (ARRAY['off'::text, 'html'::text, 'html_and_text'::text])))
);
CREATE INDEX domain_tracking_hosts ON domain_tracking USING btree (host) WHERE (host IS NOT NULL);

-- Sender domains of organizations. Two organizations may register the same name, each with keys of its own.
CREATE TABLE domains (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  spf_verified boolean NOT NULL DEFAULT false,
  dkim_verified boolean NOT NULL DEFAULT false,
  verified_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  -- The DKIM selector.
  selector text COLLATE "C" NOT NULL DEFAULT ('pr'::text || "left"(replace((gen_random_uuid())::text, '-'::text, ''::text), 12)),
  -- SubjectPublicKeyInfo, DER.
  public_key bytea,
  -- PKCS#8, encrypted with the secret key and bound to the id.
  private_key bytea,
  -- The mode whose DNS verified the domain. What the sandbox's own DNS verified does not count in live mode.
  verified_in text,
  -- The result of the last check of each record.
  checks jsonb,
  -- Counts the recorded checks, so that the later of two checks at the same time is recognised.
  check_number bigint NOT NULL DEFAULT 0,
  last_checked_at timestamp with time zone,
  -- Null: automatic checks have ended, until a user asks for one.
  next_check_at timestamp with time zone DEFAULT now(),
  -- Checks in a row that did not find both records.
  failed_checks integer NOT NULL DEFAULT 0,
  -- Since when the records of a verified domain are wrong. Null while they are right.
  failing_since timestamp with time zone,
  CONSTRAINT domains_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT domains_organization_id_domain_key UNIQUE (organization_id, domain),
  CONSTRAINT domains_selector_key UNIQUE (organization_id, selector),
  CONSTRAINT domains_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT domains_check CHECK (((public_key IS NULL) = (private_key IS NULL))),
  CONSTRAINT domains_check1 CHECK (((failing_since IS NULL) OR (spf_verified AND dkim_verified))),
  CONSTRAINT domains_not_of_installation CHECK ((organization_id <> 'org_0000000000000'::text)),
  CONSTRAINT domains_selector_check CHECK ((selector ~ '^[a-z0-9]{1,24}$'::text)),
  CONSTRAINT domains_verified_in_check CHECK ((verified_in = ANY (ARRAY['sandbox'::text, 'live'::text])))
);
CREATE INDEX domains_by_name ON domains USING btree (domain);
CREATE INDEX domains_due ON domains USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX domains_failing ON domains USING btree (failing_since) WHERE (failing_since IS NOT NULL);

-- Attachments of emails. Partitioned by week on email_id and removed with the content.
CREATE TABLE email_attachments (
  organization_id text COLLATE "C" NOT NULL,
  email_id uuid NOT NULL,
  position smallint NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  -- For inline images: the Content-ID that the html refers to.
  content_id text,
  content bytea NOT NULL,
  CONSTRAINT email_attachments_pkey PRIMARY KEY (organization_id, email_id, "position")
) PARTITION BY RANGE (email_id);

-- Content of emails. Separate from emails, because lists never read it and retention removes it earlier.
-- Partitioned by week.
CREATE TABLE email_contents (
  organization_id text COLLATE "C" NOT NULL,
  email_id uuid NOT NULL,
  html text,
  text text,
  headers jsonb,
  -- The variables that a saved template is rendered with. html and text are null then.
  template_data jsonb,
  -- A message that was submitted whole, byte for byte. html, text and headers are null then.
  mime bytea,
  CONSTRAINT email_contents_pkey PRIMARY KEY (organization_id, email_id)
) PARTITION BY RANGE (email_id);

-- How many emails of each status an organization accepted on each UTC day. Lists and totals are counted with
-- it.
CREATE TABLE email_counts (
  organization_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  status text COLLATE "C" NOT NULL,
  -- Emails that were accepted, including those that retention has removed since.
  count bigint NOT NULL,
  -- How many of them retention has removed. Lists show count minus removed.
  removed bigint NOT NULL DEFAULT 0,
  -- Increases with every change, so that a reader can tell whether a day's counts stayed the same meanwhile.
  version bigint NOT NULL DEFAULT 0,
  CONSTRAINT email_counts_pkey PRIMARY KEY (organization_id, day, status)
) WITH (fillfactor=50);

-- One row per accepted email. Partitioned by week on id, a UUIDv7, so that retention can drop whole weeks.
CREATE TABLE emails (
  organization_id text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  -- Derived from the states of the recipients, in the transaction that changes them.
  status text COLLATE "C" NOT NULL,
  -- 0: high, 1: normal, 2: low.
  priority smallint NOT NULL,
  track_opens boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  scheduled_at timestamp with time zone,
  -- Seconds after which delivery is given up. Null: the lifetime of the priority.
  expires_in integer,
  from_email text NOT NULL,
  from_name text,
  subject text NOT NULL,
  -- JSON: to, cc, bcc, reply_to and reply_to_more as the request named them. Emails accepted before the
  -- column options have the options here.
  addresses jsonb NOT NULL,
  -- Tags of the request.
  tags jsonb,
  metadata jsonb,
  batch_id text COLLATE "C",
  template_id text COLLATE "C",
  template_version integer,
  -- Hashes that the email can be found by: sender, recipients, tags, API key and parts of the subject.
  search integer[],
  -- Whether the mail has our List-Unsubscribe headers.
  unsubscribe boolean NOT NULL DEFAULT false,
  -- The API key that sent the email. Null for users and for mail of the installation.
  api_key_id text COLLATE "C",
  -- The mode the email was accepted in. Sandbox mail is never sent to the outside.
  mode text COLLATE "C",
  -- The group of mail that an unsubscription of a recipient stops. Null: the default group, if unsubscribe is
  -- set.
  unsubscribe_group text COLLATE "C",
  -- Whether mail that has only html gets a text part made from it.
  text_from_html boolean NOT NULL DEFAULT false,
  -- JSON: options that need no column of their own: collapse_key, track_clicks, tls, built_with (versions of
  -- layout and partials), locale, origin, receive_replies. Null: none, or an email accepted before this
  -- column, which has them in addresses.
  options jsonb,
  -- The stream of the email. Null: transactional, or an email accepted before this column, which has the
  -- stream as the tag "message-stream".
  stream text COLLATE "C",
  CONSTRAINT emails_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT emails_expires_in_check CHECK ((expires_in > 0)),
  CONSTRAINT emails_mode_check CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text]))) NOT VALID,
  CONSTRAINT emails_priority_check CHECK ((priority = ANY (ARRAY[0, 1, 2]))),
  CONSTRAINT emails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'delivered'::text, 'bounced'::text, 'failed'::text, 'opened'::text])))
) PARTITION BY RANGE (id);
CREATE INDEX emails_by_batch ON ONLY emails USING btree (organization_id, batch_id, id) WHERE (batch_id IS NOT NULL);
CREATE INDEX emails_by_search ON ONLY emails USING gin (search) WITH (gin_pending_list_limit='1024') WHERE (status <> 'queued'::text);
CREATE INDEX emails_by_status ON ONLY emails USING btree (organization_id, status, id) WHERE (status <> 'queued'::text);
CREATE INDEX emails_unsettled ON ONLY emails USING btree (organization_id, id) WHERE ((status = 'queued'::text) OR (search IS NULL));

-- Batches of which no recipient was accepted. Other batches are known by their emails.
CREATE TABLE empty_batches (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The API key that sent the batch, as emails.api_key_id.
  api_key_id text COLLATE "C",
  from_email text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT empty_batches_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT empty_batches_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX empty_batches_by_age ON empty_batches USING btree (created_at);

-- The event log: what happened to each recipient of each email. Append-only. Partitioned by week on email_id.
CREATE TABLE events (
  organization_id text COLLATE "C" NOT NULL,
  email_id uuid NOT NULL,
  -- UUIDv7 of the moment of the event.
  id uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  -- The recipient, as recipients.position.
  position smallint NOT NULL,
  smtp_code smallint,
  attempt smallint,
  created_at timestamp with time zone NOT NULL,
  next_attempt_at timestamp with time zone,
  recipient text NOT NULL,
  mx_host text,
  smtp_message text,
  enhanced_code text COLLATE "C",
  -- A code from the list of outcome reasons.
  reason text COLLATE "C",
  tls text,
  -- For opened and clicked: the client that fetched the pixel or the link.
  user_agent text,
  -- What the certificate of the server says: verified, policy, issuer and problem. Null without TLS.
  tls_certificate jsonb,
  -- For clicked: the link as it was in the mail.
  url text,
  -- For held: a copy of the hold (id, reason, placed_by, placed_at), because a hold of the operator stays in
  -- its cell when the organization moves.
  hold jsonb,
  -- The time of the processing event of this attempt, which has no row of its own: its id is this id with an
  -- even last digit. Null where it has one.
  started_at timestamp with time zone,
  -- How long the attempt took. Null for events that are not outcomes of attempts, and where the attempt is in
  -- the table attempts.
  duration_ms integer,
  -- The rule of the failure policy that decided.
  rule text COLLATE "C",
  -- The reason of the attempt itself where it differs from that of the event, as for a delivery that has
  -- expired.
  attempt_reason text COLLATE "C",
  -- What the server or Postrider said about the attempt.
  detail text,
  -- True where the detail is smtp_message, which is stored once.
  detail_is_reply boolean,
  -- SMTP commands and replies, one per line, without content and credentials. Null where there was no
  -- connection.
  conversation text,
  -- The transport that the attempt used and the rule that chose it. Null where the route table was empty.
  route jsonb,
  -- Hash, size and DKIM signatures of the message that the server accepted, packed. Null where none was
  -- accepted.
  evidence bytea,
  CONSTRAINT events_pkey PRIMARY KEY (organization_id, email_id, id),
  CONSTRAINT events_type_check CHECK ((type = ANY (ARRAY['queued'::text, 'processing'::text, 'held'::text, 'delivered'::text, 'opened'::text, 'clicked'::text, 'bounced'::text, 'deferred'::text, 'failed'::text, 'complained'::text, 'unsubscribed'::text, 'rejected'::text, 'received'::text]))) NOT VALID,
  CONSTRAINT events_url_check CHECK ((length(url) <= 2048)),
  CONSTRAINT events_user_agent_check CHECK ((length(user_agent) <= 256))
) PARTITION BY RANGE (email_id);
CREATE INDEX events_rare ON ONLY events USING btree (organization_id, type, id) WHERE (type <> ALL (ARRAY['queued'::text, 'processing'::text, 'delivered'::text]));
CREATE INDEX events_stream ON ONLY events USING btree (organization_id, id);

-- Feedback loops of providers that a user says a domain or address is enrolled in. Providers offer no way to
-- check.
CREATE TABLE feedback_loops (
  organization_id text COLLATE "C" NOT NULL,
  loop text COLLATE "C" NOT NULL,
  -- A domain of the organization, or a sending address of the installation.
  subject text COLLATE "C" NOT NULL,
  enrolled_at timestamp with time zone NOT NULL,
  enrolled_by text NOT NULL,
  CONSTRAINT feedback_loops_pkey PRIMARY KEY (organization_id, loop, subject),
  CONSTRAINT feedback_loops_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

-- Mail that must not be sent for now. Held mail is accepted as usual and waits in the outbox. Rows are never
-- removed.
CREATE TABLE holds (
  id text COLLATE "C" NOT NULL,
  -- The organization whose mail is held. Null: all organizations.
  organization_id text COLLATE "C",
  -- Placed by an operator; only an operator can lift it.
  by_operator boolean NOT NULL,
  scope text NOT NULL,
  -- Which domain, template, tag, key, provider, lane or recipient is held. Null for the scopes all and
  -- organization.
  value text,
  reason text NOT NULL,
  placed_by text NOT NULL,
  placed_at timestamp with time zone NOT NULL,
  -- What becomes of the held mail, once that is decided. A worker carries it out in steps.
  ending text,
  ending_reason text,
  ending_by text,
  ending_at timestamp with time zone,
  -- From then on the hold stops no mail.
  lifted_at timestamp with time zone,
  -- From then on all mail that was held is released or discarded.
  ended_at timestamp with time zone,
  released bigint NOT NULL DEFAULT 0,
  discarded bigint NOT NULL DEFAULT 0,
  -- Webhooks wait, too. Used after a restore, when most of the queued webhooks were sent already.
  with_webhooks boolean NOT NULL DEFAULT false,
  CONSTRAINT holds_pkey PRIMARY KEY (id),
  CONSTRAINT holds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT holds_check CHECK (((value IS NULL) = (scope = ANY (ARRAY['all'::text, 'organization'::text])))),
  CONSTRAINT holds_check1 CHECK (((scope = 'organization'::text) <= (organization_id IS NOT NULL))),
  CONSTRAINT holds_check2 CHECK (((scope = 'all'::text) <= (organization_id IS NULL))),
  CONSTRAINT holds_check3 CHECK (((ending IS NULL) = (ending_at IS NULL))),
  CONSTRAINT holds_ending_check CHECK ((ending = ANY (ARRAY['release'::text, 'discard'::text]))),
  CONSTRAINT holds_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'organization'::text, 'domain'::text, 'template'::text, 'tag'::text, 'key'::text, 'provider'::text, 'lane'::text, 'recipient'::text])))
);
CREATE INDEX holds_ending ON holds USING btree (ending_at) WHERE ((ending IS NOT NULL) AND (ended_at IS NULL));
CREATE UNIQUE INDEX holds_in_force ON holds USING btree (scope, COALESCE(organization_id, ''::text), COALESCE(value, ''::text), by_operator) WHERE (lifted_at IS NULL);
CREATE INDEX holds_of_organization ON holds USING btree (organization_id, placed_at, id);

-- Results of emails by the hour in which they were accepted. Changes in the same transactions as
-- email_counts.
CREATE TABLE hourly_counts (
  organization_id text COLLATE "C" NOT NULL,
  hour timestamp with time zone NOT NULL,
  accepted integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  bounced integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  opened integer NOT NULL DEFAULT 0,
  CONSTRAINT hourly_counts_pkey PRIMARY KEY (organization_id, hour)
) WITH (fillfactor=50);

-- Requests with an Idempotency-Key, and their answers. Removed after 24 hours.
CREATE TABLE idempotency_keys (
  organization_id text COLLATE "C" NOT NULL,
  -- The key as the client sent it. A message over SMTP with a Message-ID has a key made from it.
  key text COLLATE "C" NOT NULL,
  -- Hash of the request, to refuse another request with the same key.
  request_hash bytea NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  -- HTTP status of the answer. Null while the request runs.
  status smallint,
  answer jsonb,
  -- The run that may complete the request. Another run can take over an abandoned request, which then has a
  -- new value here.
  run uuid,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, key),
  CONSTRAINT idempotency_keys_check CHECK (((status IS NULL) = (answer IS NULL)))
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);

-- Incoming reports: delivery reports, complaints, unsubscribe mail, DMARC and TLS reports. Removed in the
-- transaction that records what they say.
CREATE TABLE inbound_messages (
  id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL,
  -- The local part of the address. "b" is a return path.
  mailbox text COLLATE "C" NOT NULL,
  -- The organization that the return path names. The installation's for other mailboxes, until the message
  -- was read.
  organization_id text COLLATE "C" NOT NULL,
  email_id uuid,
  position smallint,
  mail_from text NOT NULL,
  remote_address text NOT NULL,
  -- Size of the whole message; raw may hold only its beginning.
  size integer NOT NULL,
  raw bytea STORAGE EXTERNAL NOT NULL,
  -- waiting: to be read. kept: read but not recognised, for the operator to look at.
  state text COLLATE "C" NOT NULL DEFAULT 'waiting'::text,
  -- Why the message is kept.
  note text,
  tries smallint NOT NULL DEFAULT 0,
  -- When a worker may read it next.
  due_at timestamp with time zone NOT NULL DEFAULT now(),
  domain_id text COLLATE "C",
  CONSTRAINT inbound_messages_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT inbound_messages_check CHECK (((mailbox = 'b'::text) = (email_id IS NOT NULL))),
  CONSTRAINT inbound_messages_check2 CHECK (((mailbox = 'b'::text) = ("position" IS NOT NULL))),
  CONSTRAINT inbound_messages_mailbox_check CHECK ((mailbox = ANY (ARRAY['b'::text, 'fbl'::text, 'abuse'::text, 'postmaster'::text, 'unsubscribe'::text, 'dmarc'::text, 'tlsrpt'::text]))) NOT VALID,
  CONSTRAINT inbound_messages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'kept'::text])))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=500, autovacuum_vacuum_cost_delay=0);
CREATE INDEX inbound_messages_kept ON inbound_messages USING btree (received_at) WHERE (state = 'kept'::text);
CREATE INDEX inbound_messages_waiting ON inbound_messages USING btree (due_at) WHERE (state = 'waiting'::text);
CREATE TRIGGER inbound_of_installation BEFORE INSERT ON inbound_messages FOR EACH ROW WHEN ((new.organization_id IS NULL)) EXECUTE FUNCTION inbound_of_installation();

-- Addresses at a receiving name that mail is accepted for.
CREATE TABLE inbound_routes (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  -- The local part in lower case. "*": all that have no route of their own.
  local text COLLATE "C" NOT NULL,
  description text,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT inbound_routes_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT inbound_routes_organization_id_name_local_key UNIQUE (organization_id, name, local),
  CONSTRAINT inbound_routes_organization_id_name_fkey FOREIGN KEY (organization_id, name) REFERENCES receiving_names(organization_id, name) ON DELETE CASCADE
);

-- Open invitations to join an organization.
CREATE TABLE invites (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  role text COLLATE "C" NOT NULL,
  -- SHA-256 of the secret in the link.
  hash bytea NOT NULL,
  -- Name of the user or API key that invited, for display.
  invited_by text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  -- The user behind the invitation. The invitation ends when this user leaves.
  created_by text COLLATE "C",
  -- The link was sent only by mail, so following it proves the address.
  mailed boolean NOT NULL DEFAULT false,
  CONSTRAINT invites_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT invites_hash_key UNIQUE (hash),
  CONSTRAINT invites_organization_id_email_key UNIQUE (organization_id, email),
  CONSTRAINT invites_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT invites_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT invites_hash_check CHECK ((octet_length(hash) = 32)),
  CONSTRAINT invites_not_of_installation CHECK ((organization_id <> 'org_0000000000000'::text)),
  CONSTRAINT invites_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text, 'read_only'::text])))
);

-- Recipients that were accepted for an API key on a UTC day. The daily budget of the key's policy is checked
-- against it.
CREATE TABLE key_budgets (
  organization_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  recipients integer NOT NULL,
  CONSTRAINT key_budgets_pkey PRIMARY KEY (organization_id, key_id, day),
  CONSTRAINT key_budgets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

-- Suppressions that a running undo has lifted. Removed when the undo ends.
CREATE TABLE lifted_suppressions (
  undo_id text COLLATE "C" NOT NULL,
  -- In lower case.
  address text COLLATE "C" NOT NULL,
  -- When the suppression had been made.
  since timestamp with time zone NOT NULL,
  organization_id text COLLATE "C" NOT NULL DEFAULT ''::text,
  CONSTRAINT lifted_suppressions_pkey PRIMARY KEY (undo_id, address, organization_id)
);

-- Mailboxes that were full, until they work again or are suppressed.
CREATE TABLE mailbox_failures (
  organization_id text COLLATE "C" NOT NULL,
  -- The address in the form in which addresses are compared.
  key text COLLATE "C" NOT NULL,
  failures integer NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT mailbox_failures_pkey PRIMARY KEY (key, organization_id),
  CONSTRAINT mailbox_failures_failures_check CHECK ((failures > 0))
);

-- Which users belong to which organizations, and their roles.
CREATE TABLE memberships (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  joined_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone,
  CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id),
  CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT memberships_not_of_installation CHECK ((organization_id <> 'org_0000000000000'::text)),
  CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text, 'read_only'::text])))
);
CREATE INDEX memberships_by_user ON memberships USING btree (user_id);

-- Content of emails that was moved to object storage. An email has a row here or in email_contents, never
-- both. Partitioned by week.
CREATE TABLE moved_contents (
  organization_id text COLLATE "C" NOT NULL,
  email_id uuid NOT NULL,
  -- Chosen anew each time content is moved, so that an object due for removal is never in use.
  object_id uuid NOT NULL,
  -- Key of this object alone. Without this row the object cannot be read.
  seal_key bytea NOT NULL,
  -- Size of the content without attachments.
  content_bytes integer NOT NULL,
  -- The Message-ID of a message that was submitted whole.
  message_id text,
  CONSTRAINT moved_contents_pkey PRIMARY KEY (organization_id, email_id)
) PARTITION BY RANGE (email_id);

-- MTA-STS policies of recipient domains, so that a restart does not forget what a domain demands.
CREATE TABLE mta_sts_policies (
  domain text COLLATE "C" NOT NULL,
  -- The id in DNS when the policy was fetched.
  policy_id text NOT NULL,
  mode text COLLATE "C" NOT NULL,
  mx text[] NOT NULL,
  max_age_seconds integer NOT NULL,
  fetched_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  -- When the policy is fetched again, even if no mail is sent there.
  refresh_at timestamp with time zone NOT NULL,
  -- The day of the last mail to the domain.
  used_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT mta_sts_policies_pkey PRIMARY KEY (domain),
  CONSTRAINT mta_sts_policies_mode_check CHECK ((mode = ANY (ARRAY['enforce'::text, 'testing'::text, 'none'::text])))
);
CREATE INDEX mta_sts_policies_expires ON mta_sts_policies USING btree (expires_at);
CREATE INDEX mta_sts_policies_refresh ON mta_sts_policies USING btree (refresh_at);

-- Objects in object storage that have to be removed, or may have to be. A row is written before its object.
CREATE TABLE object_removals (
  organization_id text COLLATE "C" NOT NULL,
  -- The name of an object. With a slash at the end: all objects whose names begin with it.
  object text COLLATE "C" NOT NULL,
  -- putting: an upload is under way, which removes this row with its commit. removing: the object is not in
  -- use any more.
  state text COLLATE "C" NOT NULL,
  -- From then on any worker may remove the object.
  due_at timestamp with time zone NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  CONSTRAINT object_removals_pkey PRIMARY KEY (organization_id, object),
  CONSTRAINT object_removals_state_check CHECK ((state = ANY (ARRAY['putting'::text, 'removing'::text])))
);
CREATE INDEX object_removals_due ON object_removals USING btree (due_at);

-- Which cell each organization is in, for those that are not in the first cell. Empty in other cells.
CREATE TABLE organization_cells (
  organization_id text COLLATE "C" NOT NULL,
  cell text COLLATE "C" NOT NULL,
  -- The organization is on its way to another cell; no process may act for it until it is there.
  is_moving boolean NOT NULL DEFAULT false,
  -- Increases with every change of the table, so that processes read only what is new.
  version bigint NOT NULL,
  CONSTRAINT organization_cells_pkey PRIMARY KEY (organization_id),
  CONSTRAINT organization_cells_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT organization_cells_cell_check CHECK (((length(cell) >= 1) AND (length(cell) <= 40)))
);
CREATE INDEX organization_cells_version ON organization_cells USING btree (version);

-- Moves of organizations between cells, and how far each has come. An interrupted move goes on from its step.
CREATE TABLE organization_moves (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  from_cell text COLLATE "C" NOT NULL,
  to_cell text COLLATE "C" NOT NULL,
  -- replicated: rows are copied while the organization is in use. offline: while it is stopped.
  way text NOT NULL,
  step text NOT NULL,
  started_by text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  step_at timestamp with time zone NOT NULL DEFAULT now(),
  outcome text,
  CONSTRAINT organization_moves_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT organization_moves_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT organization_moves_check CHECK (((step = 'ended'::text) = (outcome IS NOT NULL))),
  CONSTRAINT organization_moves_outcome_check CHECK ((outcome = ANY (ARRAY['moved'::text, 'abandoned'::text]))),
  CONSTRAINT organization_moves_step_check CHECK ((step = ANY (ARRAY['preparing'::text, 'copying'::text, 'quieting'::text, 'moving'::text, 'settling'::text, 'clearing'::text, 'ended'::text]))),
  CONSTRAINT organization_moves_way_check CHECK ((way = ANY (ARRAY['replicated'::text, 'offline'::text])))
);
CREATE UNIQUE INDEX organization_moves_open ON organization_moves USING btree (organization_id) WHERE (outcome IS NULL);

-- The tenants. All mail, domains, keys and settings belong to one. Each cell has a copy of the rows of its
-- own organizations.
CREATE TABLE organizations (
  -- "org_0000000000000" is the installation itself, which sends mail to its own users.
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- Recipients that are accepted per UTC day. 0: no limit.
  daily_limit integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Whether recipients are validated when an email is accepted, and how strictly.
  auto_validation text COLLATE "C" NOT NULL DEFAULT 'off'::text,
  -- Whether opens are tracked where the request does not say.
  track_opens boolean NOT NULL DEFAULT false,
  -- Which links are tracked where the request does not say.
  track_clicks text COLLATE "C" NOT NULL DEFAULT 'off'::text,
  -- Whether the guard slows floods to one recipient and holds mail that a provider refuses.
  guard boolean NOT NULL DEFAULT true,
  -- For organizations made for a test run: when a chore removes them with all they have.
  expires_at timestamp with time zone,
  -- Addresses and domains whose mail the guard never slows.
  guard_allow text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_auto_validation_check CHECK ((auto_validation = ANY (ARRAY['off'::text, 'high'::text, 'medium'::text]))),
  CONSTRAINT organizations_daily_limit_check CHECK ((daily_limit >= 0)),
  CONSTRAINT organizations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  CONSTRAINT organizations_track_clicks_check CHECK ((track_clicks = ANY (ARRAY['off'::text, 'html'::text, 'html_and_text'::text])))
);
CREATE INDEX organizations_expiring ON organizations USING btree (expires_at) WHERE (expires_at IS NOT NULL);

-- The queue: one narrow row per recipient that still has to be delivered to. A row leaves when its delivery
-- is final.
CREATE TABLE outbox (
  email_id uuid NOT NULL,
  -- When the next attempt may begin. Infinity while the delivery is held.
  due_at timestamp with time zone NOT NULL,
  -- When delivery is given up. Infinity while the delivery is held.
  expires_at timestamp with time zone NOT NULL,
  -- The epoch of the worker that has claimed the row. Null while the row waits.
  worker bigint,
  -- Approximate size of the message in bytes, which bounds the memory of a worker.
  size integer NOT NULL,
  position smallint NOT NULL,
  priority smallint NOT NULL,
  -- Attempts that have begun.
  attempt smallint NOT NULL DEFAULT 0,
  organization_id text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  -- As emails.mode. A worker claims only rows of its own mode.
  mode text COLLATE "C" NOT NULL,
  -- Date header and signature time of the message, the same at every attempt. Null before the first.
  first_attempt_at timestamp with time zone,
  -- The hold that the row is parked for, or "approval". Null: not held.
  hold_id text COLLATE "C",
  -- How much of the lifetime was left when the row was parked.
  time_left interval,
  CONSTRAINT outbox_pkey PRIMARY KEY (email_id, "position", organization_id),
  CONSTRAINT outbox_mode_check CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text])))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=500, autovacuum_vacuum_cost_delay=0);
CREATE INDEX outbox_claimed ON outbox USING btree (worker) WHERE (worker IS NOT NULL);
CREATE INDEX outbox_due ON outbox USING btree (due_at) WHERE (worker IS NULL);
CREATE INDEX outbox_expiry ON outbox USING btree (expires_at) WHERE (worker IS NULL);
CREATE INDEX outbox_held ON outbox USING btree (hold_id, email_id, "position") WHERE (hold_id IS NOT NULL);
CREATE INDEX outbox_lanes ON outbox USING btree (domain, organization_id, priority, due_at) WHERE (worker IS NULL);

-- DKIM keys of the installation's own domains, which sign mail in addition to the sender's domain.
CREATE TABLE own_dkim_keys (
  domain text COLLATE "C" NOT NULL,
  selector text NOT NULL,
  public_key bytea NOT NULL,
  -- Encrypted, bound to the domain.
  private_key bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  -- When signing began, ended, began again. Mail is signed if its first attempt comes after an odd number of
  -- these.
  switches timestamp with time zone[] NOT NULL DEFAULT '{}'::timestamp with time zone[],
  -- Since when DNS lacks the record of a key that signs. Null while the record is there.
  missing_since timestamp with time zone,
  last_check jsonb,
  checked_at timestamp with time zone,
  CONSTRAINT own_dkim_keys_pkey PRIMARY KEY (domain)
);

-- How much mail an organization received on a day, and how much of it is stored.
CREATE TABLE received_days (
  organization_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  messages integer NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT received_days_pkey PRIMARY KEY (organization_id, day),
  CONSTRAINT received_days_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

-- Mail that organizations received. One row per organization that a message was for, written before the
-- sender gets its 250.
CREATE TABLE received_emails (
  organization_id text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL,
  -- waiting: to be parsed. read: parsed. unreadable: cannot be parsed; only the source is stored.
  state text COLLATE "C" NOT NULL DEFAULT 'waiting'::text,
  tries smallint NOT NULL DEFAULT 0,
  -- While it waits: from when on a worker may parse it.
  due_at timestamp with time zone NOT NULL DEFAULT now(),
  mail_from text NOT NULL,
  recipients text[] NOT NULL,
  route_ids text[] NOT NULL,
  remote_address text NOT NULL,
  -- The name in the client's HELO or EHLO.
  helo text NOT NULL,
  -- The connection was encrypted.
  secured boolean NOT NULL,
  -- The sent email whose reply address was used.
  token_email_id uuid,
  size integer NOT NULL,
  -- 0 once retention has removed the content.
  stored_bytes bigint NOT NULL,
  -- The message as it came. Null once retention has removed the content.
  raw bytea STORAGE EXTERNAL,
  -- Hash of message and envelope, for messages with a Message-ID. The same again is the same message.
  digest bytea,
  from_email text,
  from_name text,
  subject text,
  text text,
  html text,
  -- The text without quoted parts.
  reply text,
  message_id text,
  details jsonb,
  -- Results of SPF, DKIM and DMARC.
  authentication jsonb,
  -- Results of external scanners.
  scans jsonb,
  -- Written by a machine: an automatic reply, a bounce or a mailing list.
  automatic boolean NOT NULL DEFAULT false,
  -- Why the message could not be parsed.
  problem text,
  conversation_id uuid NOT NULL,
  -- The sent email that this message answers.
  reply_to_email_id uuid,
  CONSTRAINT received_emails_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT received_emails_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT received_emails_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'read'::text, 'unreadable'::text])))
);
CREATE INDEX received_emails_conversation ON received_emails USING btree (organization_id, conversation_id, id);
CREATE UNIQUE INDEX received_emails_digest ON received_emails USING btree (organization_id, digest) WHERE (digest IS NOT NULL);
CREATE INDEX received_emails_message_id ON received_emails USING btree (organization_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX received_emails_waiting ON received_emails USING btree (due_at) WHERE (state = 'waiting'::text);

-- Names at which an organization receives mail: a verified domain, or a name below one. A name has one
-- organization.
CREATE TABLE receiving_names (
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  domain_id text COLLATE "C" NOT NULL,
  -- The result of the last check of the MX records.
  mx_check jsonb,
  checked_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT receiving_names_pkey PRIMARY KEY (organization_id, name),
  CONSTRAINT receiving_names_domain_id_organization_id_fkey FOREIGN KEY (domain_id, organization_id) REFERENCES domains(id, organization_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX receiving_names_name ON receiving_names USING btree (name);

-- One row per address that an email goes to. An address that is named twice is delivered to once. Partitioned
-- by week on email_id.
CREATE TABLE recipients (
  organization_id text COLLATE "C" NOT NULL,
  email_id uuid NOT NULL,
  -- Number of the recipient within the email, from 0.
  position smallint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  address text NOT NULL,
  state text COLLATE "C" NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  updated_at timestamp with time zone NOT NULL,
  -- The last recorded open. At most one event a minute is recorded.
  opened_at timestamp with time zone,
  -- False while only machines have opened it, so that a prefetch does not hide the first open by a person.
  opened_by_person boolean NOT NULL DEFAULT false,
  CONSTRAINT recipients_pkey PRIMARY KEY (organization_id, email_id, "position"),
  CONSTRAINT recipients_kind_check CHECK ((kind = ANY (ARRAY['to'::text, 'cc'::text, 'bcc'::text]))),
  CONSTRAINT recipients_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'deferred'::text, 'delivered'::text, 'bounced'::text, 'failed'::text, 'opened'::text])))
) PARTITION BY RANGE (email_id);

-- Requests that were refused, wholly or in part. The newest 10,000 of an organization, for 7 days.
CREATE TABLE request_logs (
  organization_id text COLLATE "C" NOT NULL,
  -- UUIDv7 of the moment of the request.
  id uuid NOT NULL,
  method text COLLATE "C" NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  code text COLLATE "C",
  message text,
  key_id text COLLATE "C",
  user_id text COLLATE "C",
  request_id text COLLATE "C",
  duration_ms integer NOT NULL,
  -- How many equal requests the row stands for.
  count integer NOT NULL,
  -- fields: what was wrong. recipients: who would have been mailed. excerpt: part of the body, redacted.
  facts jsonb NOT NULL,
  CONSTRAINT request_logs_pkey PRIMARY KEY (organization_id, id)
);

-- Rate limits that several API processes share: requests of each caller in the current minute. Unlogged.
CREATE UNLOGGED TABLE request_shares (
  -- The organization or agent, and the role.
  caller text COLLATE "C" NOT NULL,
  -- Minutes since 1970.
  minute integer NOT NULL,
  taken integer NOT NULL,
  -- How many requests the process that asked last was granted.
  granted integer NOT NULL,
  CONSTRAINT request_shares_pkey PRIMARY KEY (caller)
) WITH (fillfactor=50);

-- Emails that were sent again as new emails. The new email names the old one in its options, too.
CREATE TABLE resends (
  organization_id text COLLATE "C" NOT NULL,
  -- The email that was sent again.
  email_id uuid NOT NULL,
  -- The new email.
  resend_id uuid NOT NULL,
  CONSTRAINT resends_pkey PRIMARY KEY (organization_id, email_id, resend_id),
  CONSTRAINT resends_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

-- How long an organization's mail is kept, in days. No row: the defaults. 0: for ever.
CREATE TABLE retention_settings (
  organization_id text COLLATE "C" NOT NULL,
  content_days integer NOT NULL,
  email_days integer NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT retention_settings_pkey PRIMARY KEY (organization_id),
  CONSTRAINT retention_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT retention_settings_content_days_check CHECK ((content_days >= 0)),
  CONSTRAINT retention_settings_email_days_check CHECK ((email_days >= 0))
);

-- The rules that choose a transport for each message, in order. One row, because the rules change together.
CREATE TABLE route_table (
  only_row boolean NOT NULL DEFAULT true,
  -- Increases with every change, so that a change based on an older version is refused.
  version integer NOT NULL,
  rules jsonb NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT route_table_pkey PRIMARY KEY (only_row),
  CONSTRAINT route_table_only_row_check CHECK (only_row)
);

-- Sandbox deliveries that the simulator has greylisted once, so that the next attempt is accepted.
CREATE TABLE sandbox_greylist (
  email_id uuid NOT NULL,
  position smallint NOT NULL,
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  organization_id text COLLATE "C" NOT NULL DEFAULT ''::text,
  CONSTRAINT sandbox_greylist_pkey PRIMARY KEY (email_id, "position", organization_id)
);

-- Messages in the sandbox inbox. The newest 1,000 of an organization.
CREATE TABLE sandbox_messages (
  organization_id text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  email_id uuid NOT NULL,
  position smallint NOT NULL,
  size integer NOT NULL,
  received_at timestamp with time zone NOT NULL,
  mail_from text NOT NULL,
  rcpt_to text NOT NULL,
  -- Read from the headers when the message came in, so that lists parse no mail.
  from_email text NOT NULL,
  from_name text,
  subject text NOT NULL,
  raw bytea STORAGE EXTERNAL NOT NULL,
  -- When a user first opened the message.
  read_at timestamp with time zone,
  CONSTRAINT sandbox_messages_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX sandbox_messages_to ON sandbox_messages USING btree (organization_id, lower(rcpt_to), id);

-- Filters of lists that people saved under a name, for themselves or for their organization.
CREATE TABLE saved_views (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  name text NOT NULL,
  query jsonb NOT NULL,
  -- The member whose own view this is; null for a view that is shared.
  owner_id text COLLATE "C",
  -- The user or the API key that created the view.
  created_by text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT saved_views_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT saved_views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT saved_views_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_views_own ON saved_views USING btree (organization_id, owner_id, list, name) WHERE (owner_id IS NOT NULL);
CREATE UNIQUE INDEX saved_views_shared ON saved_views USING btree (organization_id, list, name) WHERE (owner_id IS NULL);

-- The migrations that were applied.
CREATE TABLE schema_migrations (
  version integer NOT NULL,
  name text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  -- The lowest schema version that code has to know to use the database after this migration. 0: no higher
  -- than before. Null: version.
  needs integer,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (version)
);

-- How far older mail was given the hashes that searches use. The row is removed when all mail has them.
CREATE TABLE search_backfill (
  only_one boolean NOT NULL DEFAULT true,
  due_at timestamp with time zone NOT NULL,
  -- The week that is worked on, newest first. email_id is its last email that is done.
  week text,
  organization_id text,
  email_id uuid,
  CONSTRAINT search_backfill_pkey PRIMARY KEY (only_one),
  CONSTRAINT search_backfill_only_one_check CHECK (only_one)
);

-- Wrong second factors after a correct password, per user. Known devices are counted apart, so that an
-- attacker who knows the password cannot lock the user out.
CREATE TABLE second_factor_failures (
  user_id text COLLATE "C" NOT NULL,
  known_device boolean NOT NULL,
  failures integer NOT NULL,
  -- When the first of these failures was.
  since timestamp with time zone NOT NULL,
  -- Cool-downs so far. Each is twice as long as the previous one.
  rounds integer NOT NULL DEFAULT 0,
  cooling_until timestamp with time zone,
  notified_at timestamp with time zone,
  CONSTRAINT second_factor_failures_pkey PRIMARY KEY (user_id, known_device),
  CONSTRAINT second_factor_failures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

-- Which secret keys each running process can read. A new key is used only when all processes have it.
CREATE TABLE secret_key_holders (
  process text COLLATE "C" NOT NULL,
  name text NOT NULL,
  key_ids text[] COLLATE "C" NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT secret_key_holders_pkey PRIMARY KEY (process)
);

-- The secret keys that were in use, by id. The keys themselves are not stored.
CREATE TABLE secret_keys (
  id text COLLATE "C" NOT NULL,
  -- From when on this key encrypts.
  current_from timestamp with time zone NOT NULL,
  -- When the key was dropped. The row stays, so that the id is not taken for a new key.
  retired_at timestamp with time zone,
  CONSTRAINT secret_keys_pkey PRIMARY KEY (id),
  CONSTRAINT secret_keys_id_check CHECK ((id ~ '^[0-9a-f]{16}$'::text))
);

-- What live workers last found about the names they send under: DNS, SPF and reverse DNS.
CREATE TABLE sending_hosts (
  host text COLLATE "C" NOT NULL,
  checked_at timestamp with time zone NOT NULL,
  -- A list of about, status and message.
  findings jsonb NOT NULL,
  CONSTRAINT sending_hosts_pkey PRIMARY KEY (host)
);

-- Live workers of all cells, when there are several cells: a site's limit is divided among them. Unlogged.
CREATE UNLOGGED TABLE sending_workers (
  name text COLLATE "C" NOT NULL,
  -- The sending addresses that the worker's machine has.
  addresses text[] NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT sending_workers_pkey PRIMARY KEY (name)
);

-- Signed-in dashboard sessions.
CREATE TABLE sessions (
  -- SHA-256 of the session cookie.
  hash bytea NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The organization that the session works in. It changes when the user switches.
  organization_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  -- Extended with use, up to a limit counted from created_at.
  expires_at timestamp with time zone NOT NULL,
  address text,
  user_agent text,
  CONSTRAINT sessions_pkey PRIMARY KEY (hash),
  CONSTRAINT sessions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE,
  CONSTRAINT sessions_hash_check CHECK ((octet_length(hash) = 32))
);
CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_by_member ON sessions USING btree (user_id, organization_id);

-- Failed sign-ins per address and account, for rate limiting. Unlogged.
CREATE UNLOGGED TABLE sign_in_attempts (
  -- A hash; no address is stored.
  key bytea NOT NULL,
  count integer NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (key)
);

-- Which site mail for a domain last went to. For display and statistics; routing asks DNS.
CREATE TABLE site_domains (
  domain text COLLATE "C" NOT NULL,
  site text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  -- The day on which the site last accepted mail for the domain.
  delivered_at timestamp with time zone,
  CONSTRAINT site_domains_pkey PRIMARY KEY (domain)
);
CREATE INDEX site_domains_by_site ON site_domains USING btree (site);

-- How long recent deliveries to each site took, for estimates. A sample.
CREATE TABLE site_times (
  site text NOT NULL,
  -- Milliseconds from acceptance (or the scheduled time), oldest first.
  took integer[] NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT site_times_pkey PRIMARY KEY (site)
);

-- Destinations (groups of mail hosts that domains share) with a restriction: paused, blocked, slowed down or
-- limited in connections.
CREATE TABLE sites (
  -- The site, derived from the MX hosts.
  name text COLLATE "C" NOT NULL,
  -- Paused by an operator.
  paused_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Not to be tried before untilMs; count: blocks in a row.
  block jsonb,
  -- pace: messages a minute; fullPace: before it was slowed down.
  slow jsonb,
  -- connections: how many at a time.
  narrow jsonb,
  CONSTRAINT sites_pkey PRIMARY KEY (name),
  CONSTRAINT sites_check CHECK (((paused_at IS NOT NULL) OR (block IS NOT NULL) OR (slow IS NOT NULL) OR (narrow IS NOT NULL)))
);

-- What a sending address that is being warmed up has sent to each provider, by UTC day.
CREATE TABLE source_days (
  address text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  day date NOT NULL,
  -- Recipients that workers were granted.
  used integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  -- Refused or deferred because of the sender.
  objected integer NOT NULL DEFAULT 0,
  complained integer NOT NULL DEFAULT 0,
  CONSTRAINT source_days_pkey PRIMARY KEY (address, provider, day)
);

-- Organizations that are moving into or out of this cell. Their mail and webhooks are not claimed here
-- meanwhile.
CREATE TABLE standstills (
  organization_id text COLLATE "C" NOT NULL,
  -- No mail is accepted for the organization in this cell any more, whatever a process still believes.
  is_closed boolean NOT NULL DEFAULT false,
  since timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT standstills_pkey PRIMARY KEY (organization_id)
);

-- Results of emails by stream and hour of acceptance. The stream "transactional" has no rows: it is
-- hourly_counts minus the others.
CREATE TABLE stream_counts (
  organization_id text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  hour timestamp with time zone NOT NULL,
  accepted integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  bounced integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  opened integer NOT NULL DEFAULT 0,
  CONSTRAINT stream_counts_pkey PRIMARY KEY (organization_id, stream, hour)
) WITH (fillfactor=50);

-- What was sent of each rate-limited stream in the current minute and hour. Workers reserve from it before
-- they send.
CREATE TABLE stream_paces (
  organization_id text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  -- Minutes since 1970.
  minute bigint NOT NULL,
  minute_sent integer NOT NULL,
  -- Hours since 1970.
  hour bigint NOT NULL,
  hour_sent integer NOT NULL,
  -- Until when the waiting mail of the stream will take. New mail goes after it.
  line_until timestamp with time zone,
  CONSTRAINT stream_paces_pkey PRIMARY KEY (organization_id, stream)
) WITH (fillfactor=50);

-- Complaints and clicks by stream and hour of acceptance. Separate from stream_counts for the same reason as
-- complaint_counts.
CREATE TABLE stream_reactions (
  organization_id text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  hour timestamp with time zone NOT NULL,
  complaints integer NOT NULL DEFAULT 0,
  clicked integer NOT NULL DEFAULT 0,
  CONSTRAINT stream_reactions_pkey PRIMARY KEY (organization_id, stream, hour)
);

-- Streams (kinds of mail that an organization keeps apart). "transactional" and "bulk" exist without a row.
CREATE TABLE streams (
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  description text,
  -- For mail of the stream that names no priority, as emails.priority.
  priority smallint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  -- Null: no limit.
  messages_per_minute integer,
  -- Null: no limit.
  messages_per_hour integer,
  CONSTRAINT streams_pkey PRIMARY KEY (organization_id, name),
  CONSTRAINT streams_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

-- How many suppressions of each reason an organization has.
CREATE TABLE suppression_counts (
  organization_id text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT suppression_counts_pkey PRIMARY KEY (organization_id, reason)
) WITH (fillfactor=50);

-- Uploaded suppression lists on their way into suppressions. An interrupted import goes on where it stopped.
CREATE TABLE suppression_imports (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  format text COLLATE "C" NOT NULL,
  -- For lines without a reason. Null: new entries are manual, existing ones keep theirs.
  reason text COLLATE "C",
  -- The list itself. Null once it was read.
  payload text,
  total integer NOT NULL,
  -- Changes in the same transaction as the rows that it counts.
  processed integer NOT NULL DEFAULT 0,
  added integer NOT NULL DEFAULT 0,
  existing integer NOT NULL DEFAULT 0,
  invalid integer NOT NULL DEFAULT 0,
  -- The first invalid lines: line, field and message.
  errors jsonb NOT NULL DEFAULT '[]'::jsonb,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  -- Until when a worker has the import. Another one may take it over afterwards.
  lease_until timestamp with time zone,
  CONSTRAINT suppression_imports_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT suppression_imports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT suppression_imports_check CHECK ((processed = ((added + existing) + invalid))),
  CONSTRAINT suppression_imports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'json'::text]))),
  CONSTRAINT suppression_imports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX suppression_imports_open ON suppression_imports USING btree (created_at) WHERE (finished_at IS NULL);

-- Addresses that an organization must not mail, up to millions.
CREATE TABLE suppressions (
  organization_id text COLLATE "C" NOT NULL,
  -- UUIDv7, so that the primary key lists newest first.
  id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  email text NOT NULL,
  -- The address in the form in which addresses are compared. For an unsubscription from a group: the address,
  -- a space and the group. For an erased address: its hash.
  key text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  -- The email that caused an automatic entry.
  email_id uuid,
  -- The reason that the event of an automatic entry has.
  cause text COLLATE "C",
  -- The group of mail that is stopped. Null: all mail.
  unsubscribe_group text COLLATE "C",
  CONSTRAINT suppressions_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT suppressions_address UNIQUE (key, organization_id),
  CONSTRAINT suppressions_check CHECK (((unsubscribe_group IS NULL) OR (reason = 'unsubscribe'::text))),
  CONSTRAINT suppressions_reason_check CHECK ((reason = ANY (ARRAY['hard_bounce'::text, 'soft_bounce'::text, 'complaint'::text, 'unsubscribe'::text, 'manual'::text]))),
  CONSTRAINT suppressions_source_check CHECK ((source = ANY (ARRAY['automatic'::text, 'manual'::text])))
);
CREATE INDEX suppressions_by_beginning ON suppressions USING btree (organization_id, lower(email) COLLATE "C");
CREATE INDEX suppressions_by_end ON suppressions USING btree (organization_id, reverse(lower(email)) COLLATE "C");
CREATE INDEX suppressions_by_reason ON suppressions USING btree (organization_id, reason, id);
CREATE INDEX suppressions_joined ON suppressions USING hash (((organization_id || key)));
CREATE INDEX suppressions_of_groups ON suppressions USING btree (organization_id, "left"(key, (- (length(unsubscribe_group) + 1)))) WHERE (unsubscribe_group IS NOT NULL);

-- How many emails were accepted from a template on a day.
CREATE TABLE template_counts (
  organization_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  count integer NOT NULL,
  CONSTRAINT template_counts_pkey PRIMARY KEY (organization_id, template_id, day)
) WITH (fillfactor=50);

-- Unpublished changes of a template, at most one draft per template. Publishing it makes a version.
CREATE TABLE template_drafts (
  organization_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  subject text NOT NULL,
  html text NOT NULL,
  text text NOT NULL,
  variable_schema jsonb,
  layout_id text COLLATE "C",
  -- The partials by the names that the draft uses for them.
  partials jsonb,
  translations jsonb,
  -- Ids of the layout and partials, so that templates in use are not deleted.
  uses text[] COLLATE "C",
  -- The version that the draft was begun from.
  based_on integer NOT NULL,
  saved_at timestamp with time zone NOT NULL,
  saved_by text,
  inline_css boolean NOT NULL DEFAULT false,
  CONSTRAINT template_drafts_pkey PRIMARY KEY (organization_id, template_id),
  CONSTRAINT template_drafts_organization_id_template_id_fkey FOREIGN KEY (organization_id, template_id) REFERENCES templates(organization_id, id)
);
CREATE INDEX template_drafts_uses ON template_drafts USING gin (uses) WHERE (uses IS NOT NULL);

-- Versions of templates. A version never changes. An email keeps the version that it was accepted with.
CREATE TABLE template_versions (
  organization_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  subject text NOT NULL,
  html text NOT NULL,
  text text NOT NULL,
  -- JSON Schema of the variables.
  variable_schema jsonb,
  created_at timestamp with time zone NOT NULL,
  layout_id text COLLATE "C",
  -- The partials by the names that the version uses for them: {"footer": "tmpl_…"}.
  partials jsonb,
  -- The same in other languages: a list of locale, subject, html and text.
  translations jsonb,
  created_by text,
  -- Whether style sheets are written into the elements.
  inline_css boolean NOT NULL DEFAULT false,
  CONSTRAINT template_versions_pkey PRIMARY KEY (organization_id, template_id, version),
  CONSTRAINT template_versions_organization_id_template_id_fkey FOREIGN KEY (organization_id, template_id) REFERENCES templates(organization_id, id),
  CONSTRAINT template_versions_version_check CHECK ((version > 0))
);

-- Saved templates, layouts and partials. Deleted ones stay, so that their mail can still be read.
CREATE TABLE templates (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- Subject of the current version, for lists and search.
  subject text NOT NULL,
  -- The current version.
  version integer NOT NULL,
  -- False once the template is deleted.
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  -- A name chosen by the organization, usable instead of the id. Deleting the template frees it.
  alias text COLLATE "C",
  -- A numeric id for clients of other services' APIs. Never given twice.
  number integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  -- Variables for the preview. Not part of a version.
  sample_data json,
  -- layout: wraps templates. partial: is included in templates by its alias.
  kind text NOT NULL DEFAULT 'template'::text,
  -- Ids of the layout and partials of the current version, so that templates in use are not deleted.
  uses text[] COLLATE "C",
  CONSTRAINT templates_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT templates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT templates_alias_check CHECK (((alias ~ '^[A-Za-z0-9._-]{1,64}$'::text) AND (NOT starts_with(alias, 'tmpl_'::text)))),
  CONSTRAINT templates_kind_check CHECK ((kind = ANY (ARRAY['template'::text, 'layout'::text, 'partial'::text]))),
  CONSTRAINT templates_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  CONSTRAINT templates_version_check CHECK ((version > 0))
);
CREATE UNIQUE INDEX templates_alias ON templates USING btree (organization_id, alias) WHERE (alias IS NOT NULL);
CREATE INDEX templates_newest ON templates USING btree (organization_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX templates_number ON templates USING btree (organization_id, number);
CREATE INDEX templates_uses ON templates USING gin (uses) WHERE (uses IS NOT NULL);

-- TLS reports (RFC 8460) that are due to domains that ask for them, one per domain and day.
CREATE TABLE tls_reports (
  day date NOT NULL,
  domain text COLLATE "C" NOT NULL,
  -- When a worker may send the report. A worker moves it ahead to reserve the report.
  due_at timestamp with time zone NOT NULL,
  -- When the report was sent or dropped. The row is kept, so that sessions counted late are not reported
  -- twice.
  ended_at timestamp with time zone,
  -- sent, or unwanted where the domain no longer asks for reports.
  outcome text,
  -- Why sending was last put off.
  problem text,
  CONSTRAINT tls_reports_pkey PRIMARY KEY (day, domain)
);
CREATE INDEX tls_reports_due ON tls_reports USING btree (due_at) WHERE (ended_at IS NULL);

-- Rows of TLS reports that receivers sent about an organization's domains.
CREATE TABLE tls_rows (
  organization_id text COLLATE "C" NOT NULL,
  domain_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL DEFAULT 'tls'::text,
  -- The report, as domain_reports.digest.
  digest bytea NOT NULL,
  position integer NOT NULL,
  day date NOT NULL,
  policy_domain text NOT NULL,
  policy_type text COLLATE "C" NOT NULL,
  mx_host text,
  -- Null: these sessions had no problem.
  failure text COLLATE "C",
  sessions bigint NOT NULL,
  CONSTRAINT tls_rows_pkey PRIMARY KEY (organization_id, domain_id, digest, "position"),
  CONSTRAINT tls_rows_organization_id_domain_id_kind_digest_fkey FOREIGN KEY (organization_id, domain_id, kind, digest) REFERENCES domain_reports(organization_id, domain_id, kind, digest) ON DELETE CASCADE,
  CONSTRAINT tls_rows_kind_check CHECK ((kind = 'tls'::text)),
  CONSTRAINT tls_rows_sessions_check CHECK ((sessions > 0))
);
CREATE INDEX tls_rows_day ON tls_rows USING btree (organization_id, domain_id, day);

-- TLS sessions to be reported in tls_reports, counted by policy, host and failure.
CREATE TABLE tls_sessions (
  day date NOT NULL,
  domain text COLLATE "C" NOT NULL,
  policy_type text COLLATE "C" NOT NULL,
  -- Lines of the MTA-STS policy, or the TLSA records.
  policy text[] NOT NULL,
  -- Digest of policy, because an index takes no long text.
  policy_key text COLLATE "C" NOT NULL,
  mx_host text COLLATE "C" NOT NULL,
  -- Empty: these sessions had no problem.
  failure text COLLATE "C" NOT NULL,
  -- Address of one of these sessions.
  mx_address text,
  reason text,
  sessions bigint NOT NULL,
  CONSTRAINT tls_sessions_pkey PRIMARY KEY (day, domain, policy_type, policy_key, mx_host, failure),
  CONSTRAINT tls_sessions_day_domain_fkey FOREIGN KEY (day, domain) REFERENCES tls_reports(day, domain) ON DELETE CASCADE,
  CONSTRAINT tls_sessions_policy_type_check CHECK ((policy_type = ANY (ARRAY['tlsa'::text, 'sts'::text, 'no-policy-found'::text]))),
  CONSTRAINT tls_sessions_sessions_check CHECK ((sessions > 0))
);

-- The ways mail can leave: directly, or through a relay. Empty: as the environment configures.
CREATE TABLE transports (
  name text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  -- As the API shows them.
  settings jsonb NOT NULL,
  -- Password of a relay, encrypted and bound to the name.
  password bytea,
  CONSTRAINT transports_pkey PRIMARY KEY (name),
  CONSTRAINT transports_check CHECK (((password IS NULL) OR (kind = 'relay'::text))),
  CONSTRAINT transports_kind_check CHECK ((kind = ANY (ARRAY['direct'::text, 'relay'::text])))
);

-- Incidents that a user took back: bounces of a time window are sent again and their suppressions lifted.
-- Rows are never removed.
CREATE TABLE undos (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  from_at timestamp with time zone NOT NULL,
  to_at timestamp with time zone NOT NULL,
  template_id text,
  tag text,
  provider text,
  reply text,
  reason text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  -- The last event of this stage that is done.
  at_event uuid,
  requeued bigint NOT NULL DEFAULT 0,
  unsuppressed bigint NOT NULL DEFAULT 0,
  -- How many bounces were not sent again, by reason.
  left_alone jsonb NOT NULL DEFAULT '{}'::jsonb,
  ended_at timestamp with time zone,
  -- First the bounces, then the rejections that followed from suppressions which the bounces had caused.
  stage text NOT NULL DEFAULT 'bounces'::text,
  CONSTRAINT undos_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT undos_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX undos_of_organization ON undos USING btree (organization_id, requested_at, id);
CREATE INDEX undos_open ON undos USING btree (requested_at) WHERE (ended_at IS NULL);

-- People who sign in to the dashboard. A user may belong to several organizations.
CREATE TABLE users (
  id text COLLATE "C" NOT NULL,
  -- Canonical form: all in lower case, the domain in ASCII.
  email text NOT NULL,
  name text,
  -- Algorithm with parameters, salt and hash.
  password text NOT NULL,
  -- Encrypted. Also set while the second factor is being set up.
  totp_secret bytea,
  totp_enabled boolean NOT NULL DEFAULT false,
  -- Time step of the last accepted code, so that a code works once.
  totp_last_step bigint NOT NULL DEFAULT 0,
  -- SHA-256 of the unused recovery codes.
  recovery_codes bytea[] NOT NULL DEFAULT '{}'::bytea[],
  -- Where the next session begins.
  last_organization_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  -- When the user proved that mail reaches the address. Null: not yet.
  email_proven_at timestamp with time zone,
  -- The mode in which the address was proven. Null for the users who set the installation up.
  email_proven_in text COLLATE "C",
  -- Set by the operator. A disabled user keeps memberships and password, and cannot sign in.
  disabled boolean NOT NULL DEFAULT false,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_check CHECK (((NOT totp_enabled) OR (totp_secret IS NOT NULL))),
  CONSTRAINT users_email_check CHECK (((length(email) <= 320) AND (email = lower(email)))),
  CONSTRAINT users_email_proven_in_check CHECK ((email_proven_in = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  CONSTRAINT users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

-- An organization's additions to, and exceptions from, the built-in lists of disposable domains.
CREATE TABLE validation_settings (
  organization_id text COLLATE "C" NOT NULL,
  disposable_allow text[] NOT NULL DEFAULT '{}'::text[],
  disposable_deny text[] NOT NULL DEFAULT '{}'::text[],
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT validation_settings_pkey PRIMARY KEY (organization_id),
  CONSTRAINT validation_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

-- Queue and log of webhooks: one row per event and endpoint, written with the event and kept for 30 days.
CREATE TABLE webhook_deliveries (
  endpoint_id text COLLATE "C" NOT NULL,
  event_id uuid NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  -- Null in a test event.
  email_id uuid,
  event_type text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'pending'::text,
  -- When the next try may begin, while the row is pending.
  due_at timestamp with time zone NOT NULL,
  -- The epoch of the worker that has claimed the row. Null while the row waits.
  worker bigint,
  -- Tries of the current round. A replay begins at 0.
  tries smallint NOT NULL DEFAULT 0,
  -- Every try, oldest first: at, status, latency_ms, response, error and next_attempt_at.
  attempts jsonb NOT NULL DEFAULT '[]'::jsonb,
  created_at timestamp with time zone NOT NULL,
  -- The message, for events that are not about an email. Null: the message is built from the event and its
  -- email.
  payload jsonb,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (endpoint_id, event_id, organization_id),
  CONSTRAINT webhook_deliveries_check CHECK (((worker IS NULL) OR (state = 'pending'::text))),
  CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=500, autovacuum_vacuum_cost_delay=0);
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries USING btree (worker) WHERE (worker IS NOT NULL);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (endpoint_id, event_id) WHERE (state = 'failed'::text);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (endpoint_id, due_at) WHERE ((state = 'pending'::text) AND (worker IS NULL));

-- Webhook endpoints of organizations.
CREATE TABLE webhook_endpoints (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  description text,
  -- Null: all types, including future ones. Without "email." in front.
  event_types text[],
  -- Encrypted signing secret.
  secret bytea NOT NULL,
  -- Signs as well until previous_until, after a rotation.
  previous_secret bytea,
  previous_until timestamp with time zone,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text COLLATE "C",
  disabled_at timestamp with time zone,
  -- Since when no call has succeeded. Null after a success.
  failing_since timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  -- postrider, or the service whose webhook format is used.
  format text COLLATE "C" NOT NULL DEFAULT 'postrider'::text,
  last_error text,
  last_error_at timestamp with time zone,
  -- Null: events of all streams.
  streams text[],
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT webhook_endpoints_check CHECK ((enabled = (disabled_reason IS NULL))),
  CONSTRAINT webhook_endpoints_check1 CHECK ((enabled = (disabled_at IS NULL))),
  CONSTRAINT webhook_endpoints_check2 CHECK (((previous_secret IS NULL) = (previous_until IS NULL))),
  CONSTRAINT webhook_endpoints_description_check CHECK ((length(description) <= 500)),
  CONSTRAINT webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['manual'::text, 'gone'::text, 'failing'::text]))),
  CONSTRAINT webhook_endpoints_format_check CHECK ((format = ANY (ARRAY['postrider'::text, 'resend'::text, 'sendgrid'::text, 'postmark'::text]))),
  CONSTRAINT webhook_endpoints_last_error_check CHECK ((length(last_error) <= 500)),
  CONSTRAINT webhook_endpoints_not_of_installation CHECK ((organization_id <> 'org_0000000000000'::text)),
  CONSTRAINT webhook_endpoints_url_check CHECK ((length(url) <= 2048))
);
CREATE INDEX webhook_endpoints_by_organization ON webhook_endpoints USING btree (organization_id, created_at);

-- Which of the sending addresses of transports each worker's machine has.
CREATE TABLE worker_sources (
  -- The worker, as workers.epoch.
  epoch bigint NOT NULL,
  addresses text[] NOT NULL,
  CONSTRAINT worker_sources_pkey PRIMARY KEY (epoch)
);

-- Running worker processes. A worker owns the queue rows that carry its epoch for as long as its heartbeat is
-- fresh.
CREATE TABLE workers (
  -- Number of this run of a worker. Never given twice.
  epoch bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  host text NOT NULL,
  pid integer NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  heartbeat_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Kernel and PID namespace that the pid belongs to, because containers may share a host name.
  machine text NOT NULL DEFAULT ''::text,
  -- Schema version that the worker knows. Null for a worker of an earlier release.
  schema integer,
  CONSTRAINT workers_pkey PRIMARY KEY (epoch)
);

-- Attachments of emails: an email's own, or those of its batch.
CREATE VIEW attached_files AS
 SELECT email_attachments.organization_id,
    email_attachments.email_id,
    email_attachments."position",
    email_attachments.filename,
    email_attachments.content_type,
    email_attachments.content_id,
    email_attachments.content
   FROM email_attachments
UNION ALL
 SELECT e.organization_id,
    e.id AS email_id,
    b."position",
    b.filename,
    b.content_type,
    b.content_id,
    b.content
   FROM emails e
     JOIN batch_attachments b ON b.organization_id = e.organization_id AND b.batch_id = e.batch_id;

-- Emails whose content is stored, in the database or in object storage.
CREATE VIEW kept_contents AS
 SELECT email_contents.organization_id,
    email_contents.email_id
   FROM email_contents
UNION ALL
 SELECT moved_contents.organization_id,
    moved_contents.email_id
   FROM moved_contents;

CREATE SEQUENCE templates_number_seq AS integer INCREMENT BY 1 START WITH 1 OWNED BY templates.number;

CREATE SEQUENCE workers_epoch_seq AS bigint INCREMENT BY 1 START WITH 1 OWNED BY workers.epoch;

-- Functions, each in its file:
--   schema/functions/accept_new_emails.sql
--   schema/functions/add_counts.sql
--   schema/functions/append_events.sql
--   schema/functions/append_outcomes.sql
--   schema/functions/await_replay.sql
--   schema/functions/begin_request.sql
--   schema/functions/begin_sign_in.sql
--   schema/functions/claim_deliveries.sql
--   schema/functions/complete_begun_requests.sql
--   schema/functions/complete_requests.sql
--   schema/functions/count_template_use.sql
--   schema/functions/count_usage.sql
--   schema/functions/enqueue_deliveries.sql
--   schema/functions/ensure_email_partitions.sql
--   schema/functions/hold_read_slot.sql
--   schema/functions/lock_answers.sql
--   schema/functions/move_email_counts.sql
--   schema/functions/move_hourly_counts.sql
--   schema/functions/move_stream_counts.sql
--   schema/functions/newest_times.sql
--   schema/functions/previous-release/accept_emails.sql
--   schema/functions/previous-release/append_events.sql
--   schema/functions/previous-release/count_streams.sql
--   schema/functions/previous-release/dkim_rotation_of_organization.sql
--   schema/functions/previous-release/inbound_of_installation.sql
--   schema/functions/previous-release/insert_emails.sql
--   schema/functions/previous-release/store_emails.sql
--   schema/functions/queue_webhooks.sql
--   schema/functions/repeated_requests.sql
--   schema/functions/store_new_emails.sql
--   schema/functions/suppressed_among.sql
--   schema/functions/unverified_senders.sql
--   schema/functions/uuid_v7_floor.sql
