-- What each table is for, and each column that its name does not explain. schema/schema.sql shows them where they belong.

COMMENT ON TABLE account_links IS
  'One-time links that were mailed to a user, or printed for one by an operator: to set a password or to confirm an address.';
COMMENT ON COLUMN account_links.hash IS
  'SHA-256 of the secret in the link. The secret itself is not stored.';
COMMENT ON COLUMN account_links.purpose IS
  'password: the link sets a new password. address: the link confirms the email address.';
COMMENT ON COLUMN account_links.mailed IS
  'False for links that an operator printed: following one does not prove that mail reaches the address.';

COMMENT ON TABLE api_key_usage IS
  'How many requests and emails each API key was used for, one row per key and UTC day.';
COMMENT ON COLUMN api_key_usage.refused IS
  'Requests that were answered with an error.';
COMMENT ON COLUMN api_key_usage.emails IS
  'Emails that were accepted.';

COMMENT ON TABLE api_keys IS
  'API keys. Each belongs to exactly one organization. Revoked keys stay, so that they can still be listed.';
COMMENT ON COLUMN api_keys.prefix IS
  'The beginning of the key, shown in lists.';
COMMENT ON COLUMN api_keys.hash IS
  'SHA-256 of the key. The key itself is not stored.';
COMMENT ON COLUMN api_keys.scope IS
  'full: everything. read: reads everything, changes nothing. send: sends and reads its own mail. agent: sends under a policy.';
COMMENT ON COLUMN api_keys.domain IS
  'The only sender domain that the key may use. Null: any verified domain of the organization.';
COMMENT ON COLUMN api_keys.last_used_at IS
  'To the minute.';
COMMENT ON COLUMN api_keys.created_by IS
  'The user who made the key, or whose key made it. The key ends when this user leaves. Null for keys that the operator made.';
COMMENT ON COLUMN api_keys.replaced_by IS
  'The key that replaces this one after a rotation. Both work until expires_at of this one.';
COMMENT ON COLUMN api_keys.policy IS
  'Limits on what a key of scope agent or send may send. Null: only scope and domain limit the key.';
COMMENT ON COLUMN api_keys.budget_of IS
  'The key whose daily budget this key uses: the first in a chain of rotations. Null: its own.';

COMMENT ON TABLE approvals IS
  'Emails that wait, or waited, for the approval of a user before they are sent.';
COMMENT ON COLUMN approvals.decision IS
  'Null while the email waits. Its deliveries are parked in the outbox with the hold "approval" meanwhile.';
COMMENT ON COLUMN approvals.decided_by IS
  'The id of the user who decided.';

COMMENT ON TABLE attempts IS
  'What happened at each delivery attempt, for explaining why an email did or did not arrive. Partitioned by week on email_id.';
COMMENT ON COLUMN attempts.id IS
  'UUIDv7 of the moment at which the attempt ended.';
COMMENT ON COLUMN attempts.position IS
  'The recipient, as recipients.position.';
COMMENT ON COLUMN attempts.attempt IS
  'The number of the attempt, from 1.';
COMMENT ON COLUMN attempts.reason IS
  'A code from the list of outcome reasons. Null where nothing has to be explained.';
COMMENT ON COLUMN attempts.rule IS
  'The rule of the failure policy that decided. It begins with "report-" for delivery reports that came by mail.';
COMMENT ON COLUMN attempts.detail IS
  'The reply of the server, or our own message where no server answered.';
COMMENT ON COLUMN attempts.conversation IS
  'SMTP commands and replies, one per line, without content and credentials. Null where there was no connection.';
COMMENT ON COLUMN attempts.reported_by IS
  'For a delivery report that came by mail: the reporter. Null for attempts.';
COMMENT ON COLUMN attempts.tls_certificate IS
  'What the certificate of the server says: verified, policy, issuer and problem. Null without TLS.';
COMMENT ON COLUMN attempts.route IS
  'The transport that the attempt used and the rule that chose it. Null where the route table was empty.';
COMMENT ON COLUMN attempts.evidence IS
  'Hash, size and DKIM signatures of the message that the server accepted, packed. Null where none was accepted.';

COMMENT ON TABLE attention_notices IS
  'Problems that webhooks were told of, until they are over for ten minutes.';
COMMENT ON COLUMN attention_notices.subject IS
  'The id or name of the object that has the problem; empty where the problem is the organization''s.';
COMMENT ON COLUMN attention_notices.seen_at IS
  'When the problem was last found.';

COMMENT ON TABLE audit_log IS
  'What users, API keys and operators changed. Rows are never removed.';
COMMENT ON COLUMN audit_log.actor_name IS
  'The name at that time, because the user or key may be deleted later.';
COMMENT ON COLUMN audit_log.target_name IS
  'The name at that time, because the object may be deleted later.';
COMMENT ON COLUMN audit_log.address IS
  'The network address that the change came from.';

COMMENT ON TABLE batch_attachments IS
  'Attachments that all emails of a batch share, stored once. An email finds them by its batch_id.';
COMMENT ON COLUMN batch_attachments.created_at IS
  'The time of the first email of the batch. The others follow within minutes.';
COMMENT ON COLUMN batch_attachments.content_id IS
  'For inline images: the Content-ID that the html refers to.';

COMMENT ON TABLE canaries IS
  'Gradual moves of the mail of a route rule from one transport to another.';
COMMENT ON COLUMN canaries.name IS
  'The name that the route rule gives it.';
COMMENT ON COLUMN canaries.transport IS
  'The transport that mail is moved to.';
COMMENT ON COLUMN canaries.looked_at IS
  'When a worker last checked the move. The worker locks the row, so one worker checks at a time.';

COMMENT ON TABLE canary_counts IS
  'Results of a canary in steps of ten seconds, for both transports. Rows are folded into canary_shares after an hour.';
COMMENT ON COLUMN canary_counts.way IS
  'old: the transport before the move. new: the transport that mail is moved to.';

COMMENT ON TABLE canary_shares IS
  'How far each canary has come with each provider.';
COMMENT ON COLUMN canary_shares.percent IS
  'The share of mail that takes the new transport.';
COMMENT ON COLUMN canary_shares.since IS
  'When this percentage was set.';
COMMENT ON COLUMN canary_shares.falls IS
  'How often the share was reduced because results were worse.';
COMMENT ON COLUMN canary_shares.counted IS
  'Results since then, without those that are still in canary_counts.';
COMMENT ON COLUMN canary_shares.usual IS
  'Results of the old transport in the previous step, for comparison.';

COMMENT ON TABLE canary_steps IS
  'Every change of a canary, by a worker or a user.';
COMMENT ON COLUMN canary_steps.provider IS
  'Null where the change concerned all providers.';
COMMENT ON COLUMN canary_steps.numbers IS
  'The results that the decision is based on. Null where a user decided.';

COMMENT ON TABLE cell_identity IS
  'The installation and the cell that this database or schema belongs to. One row, written when it is first used.';
COMMENT ON COLUMN cell_identity.installation_id IS
  'Created with the control database; the same in every cell.';

COMMENT ON TABLE click_counts IS
  'How many recipients followed a link, by the hour in which their email was accepted.';
COMMENT ON COLUMN click_counts.recipients IS
  'Recipients who followed at least one link, each counted once. Clicks by machines are not counted.';

COMMENT ON TABLE collapse_keys IS
  'The newest email for each collapse key and recipient. Older emails with the same key that still wait are not sent.';
COMMENT ON COLUMN collapse_keys.digest IS
  'Hash of the sender domain, the collapse key and the recipient.';
COMMENT ON COLUMN collapse_keys.began_at IS
  'When the transaction began that accepted the email.';
COMMENT ON COLUMN collapse_keys.noted_at IS
  'When this row was written.';

COMMENT ON TABLE complaint_counts IS
  'Complaints, by the hour in which the email was accepted. Separate from hourly_counts, because two transactions that change both in different orders could deadlock.';

COMMENT ON TABLE content_weeks IS
  'How far the content of an organization''s emails of one week was moved to object storage.';
COMMENT ON COLUMN content_weeks.week IS
  'The Monday of the week.';
COMMENT ON COLUMN content_weeks.looked_to IS
  'The last email that this pass looked at. Null at the beginning of a pass.';
COMMENT ON COLUMN content_weeks.skipped IS
  'Emails of this pass that were not final yet.';
COMMENT ON COLUMN content_weeks.due_at IS
  'When the next pass begins. Null once all content of the week is moved.';

COMMENT ON TABLE conversation_emails IS
  'Sent emails that belong to a conversation with received mail.';

COMMENT ON TABLE daily_usage IS
  'How many recipients each organization was accepted for on a UTC day. The sending limit is checked against it.';

COMMENT ON TABLE data_keys IS
  'Keys that must stay the same when the secret key is rotated.';
COMMENT ON COLUMN data_keys.sealed IS
  'Encrypted with the secret key, bound to the name.';

COMMENT ON TABLE delivery_counts IS
  'Results of deliveries by the hour in which they happened. The deliverability page reads them.';
COMMENT ON COLUMN delivery_counts.dimension IS
  'What the deliveries of a row have in common: provider, domain, template, tag, stream or reason.';
COMMENT ON COLUMN delivery_counts.name IS
  'Which provider, domain and so on. Empty where the name is unknown, or where the hour already has too many names.';
COMMENT ON COLUMN delivery_counts.sent IS
  'Deliveries that were attempted for the first time.';
COMMENT ON COLUMN delivery_counts.took IS
  'How many of the delivered took how long, one number per latency class. Empty where this is not counted.';

COMMENT ON TABLE dkim_rotations IS
  'The second DKIM key of a domain: the next one before the switch, the previous one after it.';
COMMENT ON COLUMN dkim_rotations.public_key IS
  'SubjectPublicKeyInfo, DER.';
COMMENT ON COLUMN dkim_rotations.private_key IS
  'Encrypted, bound to the domain''s id. Null once the rotation is finished.';
COMMENT ON COLUMN dkim_rotations.last_check IS
  'What DNS last said about the record of the next key.';
COMMENT ON COLUMN dkim_rotations.seen_at IS
  'Since when every check has found the record of the next key.';
COMMENT ON COLUMN dkim_rotations.switched_at IS
  'Mail that is first attempted from then on is signed with the new key.';
COMMENT ON COLUMN dkim_rotations.retires_at IS
  'When the private key of the previous key is removed.';

COMMENT ON TABLE dmarc_rows IS
  'Rows of DMARC aggregate reports about an organization''s domains.';
COMMENT ON COLUMN dmarc_rows.source_ip IS
  'Null: many small rows, added up.';
COMMENT ON COLUMN dmarc_rows.digest IS
  'The report, as domain_reports.digest.';

COMMENT ON TABLE domain_reports IS
  'DMARC and TLS reports that receivers sent about an organization''s domains. A report counts once.';
COMMENT ON COLUMN domain_reports.digest IS
  'Hash of reporter, report number, domain and time. The same report sent again has the same digest.';

COMMENT ON TABLE domain_tracking IS
  'Tracking settings of a domain that differ from the organization''s, and the domain''s own host for links.';
COMMENT ON COLUMN domain_tracking.track_opens IS
  'Null: as the organization.';
COMMENT ON COLUMN domain_tracking.track_clicks IS
  'Null: as the organization.';
COMMENT ON COLUMN domain_tracking.host IS
  'Links in mail of this domain are on this host. Null: on the installation''s.';
COMMENT ON COLUMN domain_tracking.host_points IS
  'DNS leads from the host to this installation, so a certificate may be requested for it.';
COMMENT ON COLUMN domain_tracking.host_answers IS
  'The host answers as this installation, so links may use it.';
COMMENT ON COLUMN domain_tracking.host_check IS
  'The result of the last check. Null before the first.';
COMMENT ON COLUMN domain_tracking.host_failures IS
  'Failed checks in a row. Checks become rarer with each.';

COMMENT ON TABLE domains IS
  'Sender domains of organizations. Two organizations may register the same name, each with keys of its own.';
COMMENT ON COLUMN domains.selector IS
  'The DKIM selector.';
COMMENT ON COLUMN domains.public_key IS
  'SubjectPublicKeyInfo, DER.';
COMMENT ON COLUMN domains.private_key IS
  'PKCS#8, encrypted with the secret key and bound to the id.';
COMMENT ON COLUMN domains.verified_in IS
  'The mode whose DNS verified the domain. What the sandbox''s own DNS verified does not count in live mode.';
COMMENT ON COLUMN domains.checks IS
  'The result of the last check of each record.';
COMMENT ON COLUMN domains.check_number IS
  'Counts the recorded checks, so that the later of two checks at the same time is recognised.';
COMMENT ON COLUMN domains.next_check_at IS
  'Null: automatic checks have ended, until a user asks for one.';
COMMENT ON COLUMN domains.failed_checks IS
  'Checks in a row that did not find both records.';
COMMENT ON COLUMN domains.failing_since IS
  'Since when the records of a verified domain are wrong. Null while they are right.';

COMMENT ON TABLE email_attachments IS
  'Attachments of emails. Partitioned by week on email_id and removed with the content.';
COMMENT ON COLUMN email_attachments.content_id IS
  'For inline images: the Content-ID that the html refers to.';

COMMENT ON TABLE email_contents IS
  'Content of emails. Separate from emails, because lists never read it and retention removes it earlier. Partitioned by week.';
COMMENT ON COLUMN email_contents.template_data IS
  'The variables that a saved template is rendered with. html and text are null then.';
COMMENT ON COLUMN email_contents.mime IS
  'A message that was submitted whole, byte for byte. html, text and headers are null then.';

COMMENT ON TABLE email_counts IS
  'How many emails of each status an organization accepted on each UTC day. Lists and totals are counted with it.';
COMMENT ON COLUMN email_counts.count IS
  'Emails that were accepted, including those that retention has removed since.';
COMMENT ON COLUMN email_counts.removed IS
  'How many of them retention has removed. Lists show count minus removed.';
COMMENT ON COLUMN email_counts.version IS
  'Increases with every change, so that a reader can tell whether a day''s counts stayed the same meanwhile.';

COMMENT ON TABLE emails IS
  'One row per accepted email. Partitioned by week on id, a UUIDv7, so that retention can drop whole weeks.';
COMMENT ON COLUMN emails.status IS
  'Derived from the states of the recipients, in the transaction that changes them.';
COMMENT ON COLUMN emails.priority IS
  '0: high, 1: normal, 2: low.';
COMMENT ON COLUMN emails.addresses IS
  'JSON: to, cc, bcc and reply_to as the request named them, and options that need no column: collapse_key, track_clicks, tls, built_with (versions of layout and partials), locale, origin, receive_replies.';
COMMENT ON COLUMN emails.tags IS
  'Tags of the request. The stream of an email is the tag "message-stream".';
COMMENT ON COLUMN emails.search IS
  'Hashes that the email can be found by: sender, recipients, tags, API key and parts of the subject.';
COMMENT ON COLUMN emails.unsubscribe IS
  'Whether the mail has our List-Unsubscribe headers.';
COMMENT ON COLUMN emails.unsubscribe_group IS
  'The group of mail that an unsubscription of a recipient stops. Null: the default group, if unsubscribe is set.';
COMMENT ON COLUMN emails.api_key_id IS
  'The API key that sent the email. Null for users and for mail of the installation.';
COMMENT ON COLUMN emails.mode IS
  'The mode the email was accepted in. Sandbox mail is never sent to the outside.';
COMMENT ON COLUMN emails.expires_in IS
  'Seconds after which delivery is given up. Null: the lifetime of the priority.';
COMMENT ON COLUMN emails.text_from_html IS
  'Whether mail that has only html gets a text part made from it.';

COMMENT ON TABLE empty_batches IS
  'Batches of which no recipient was accepted. Other batches are known by their emails.';
COMMENT ON COLUMN empty_batches.api_key_id IS
  'The API key that sent the batch, as emails.api_key_id.';

COMMENT ON TABLE events IS
  'The event log: what happened to each recipient of each email. Append-only. Partitioned by week on email_id.';
COMMENT ON COLUMN events.id IS
  'UUIDv7 of the moment of the event.';
COMMENT ON COLUMN events.position IS
  'The recipient, as recipients.position.';
COMMENT ON COLUMN events.reason IS
  'A code from the list of outcome reasons.';
COMMENT ON COLUMN events.user_agent IS
  'For opened and clicked: the client that fetched the pixel or the link.';
COMMENT ON COLUMN events.tls_certificate IS
  'What the certificate of the server says: verified, policy, issuer and problem. Null without TLS.';
COMMENT ON COLUMN events.url IS
  'For clicked: the link as it was in the mail.';
COMMENT ON COLUMN events.hold IS
  'For held: a copy of the hold (id, reason, placed_by, placed_at), because a hold of the operator stays in its cell when the organization moves.';

COMMENT ON TABLE feedback_loops IS
  'Feedback loops of providers that a user says a domain or address is enrolled in. Providers offer no way to check.';
COMMENT ON COLUMN feedback_loops.subject IS
  'A domain of the organization, or a sending address of the installation.';

COMMENT ON TABLE holds IS
  'Mail that must not be sent for now. Held mail is accepted as usual and waits in the outbox. Rows are never removed.';
COMMENT ON COLUMN holds.organization_id IS
  'The organization whose mail is held. Null: all organizations.';
COMMENT ON COLUMN holds.by_operator IS
  'Placed by an operator; only an operator can lift it.';
COMMENT ON COLUMN holds.value IS
  'Which domain, template, tag, key, provider, lane or recipient is held. Null for the scopes all and organization.';
COMMENT ON COLUMN holds.ending IS
  'What becomes of the held mail, once that is decided. A worker carries it out in steps.';
COMMENT ON COLUMN holds.lifted_at IS
  'From then on the hold stops no mail.';
COMMENT ON COLUMN holds.ended_at IS
  'From then on all mail that was held is released or discarded.';
COMMENT ON COLUMN holds.with_webhooks IS
  'Webhooks wait, too. Used after a restore, when most of the queued webhooks were sent already.';

COMMENT ON TABLE hourly_counts IS
  'Results of emails by the hour in which they were accepted. Changes in the same transactions as email_counts.';

COMMENT ON TABLE idempotency_keys IS
  'Requests with an Idempotency-Key, and their answers. Removed after 24 hours.';
COMMENT ON COLUMN idempotency_keys.key IS
  'The key as the client sent it. A message over SMTP with a Message-ID has a key made from it.';
COMMENT ON COLUMN idempotency_keys.request_hash IS
  'Hash of the request, to refuse another request with the same key.';
COMMENT ON COLUMN idempotency_keys.status IS
  'HTTP status of the answer. Null while the request runs.';
COMMENT ON COLUMN idempotency_keys.run IS
  'The run that may complete the request. Another run can take over an abandoned request, which then has a new value here.';

COMMENT ON TABLE inbound_messages IS
  'Incoming reports: delivery reports, complaints, unsubscribe mail, DMARC and TLS reports. Removed in the transaction that records what they say.';
COMMENT ON COLUMN inbound_messages.mailbox IS
  'The local part of the address. "b" is a return path.';
COMMENT ON COLUMN inbound_messages.organization_id IS
  'The organization that the return path names. The installation''s for other mailboxes, until the message was read.';
COMMENT ON COLUMN inbound_messages.size IS
  'Size of the whole message; raw may hold only its beginning.';
COMMENT ON COLUMN inbound_messages.state IS
  'waiting: to be read. kept: read but not recognised, for the operator to look at.';
COMMENT ON COLUMN inbound_messages.note IS
  'Why the message is kept.';
COMMENT ON COLUMN inbound_messages.due_at IS
  'When a worker may read it next.';

COMMENT ON TABLE inbound_routes IS
  'Addresses at a receiving name that mail is accepted for.';
COMMENT ON COLUMN inbound_routes.local IS
  'The local part in lower case. "*": all that have no route of their own.';

COMMENT ON TABLE invites IS
  'Open invitations to join an organization.';
COMMENT ON COLUMN invites.hash IS
  'SHA-256 of the secret in the link.';
COMMENT ON COLUMN invites.invited_by IS
  'Name of the user or API key that invited, for display.';
COMMENT ON COLUMN invites.created_by IS
  'The user behind the invitation. The invitation ends when this user leaves.';
COMMENT ON COLUMN invites.mailed IS
  'The link was sent only by mail, so following it proves the address.';

COMMENT ON TABLE key_budgets IS
  'Recipients that were accepted for an API key on a UTC day. The daily budget of the key''s policy is checked against it.';

COMMENT ON TABLE lifted_suppressions IS
  'Suppressions that a running undo has lifted. Removed when the undo ends.';
COMMENT ON COLUMN lifted_suppressions.address IS
  'In lower case.';
COMMENT ON COLUMN lifted_suppressions.since IS
  'When the suppression had been made.';

COMMENT ON TABLE mailbox_failures IS
  'Mailboxes that were full, until they work again or are suppressed.';
COMMENT ON COLUMN mailbox_failures.key IS
  'The address in the form in which addresses are compared.';

COMMENT ON TABLE memberships IS
  'Which users belong to which organizations, and their roles.';

COMMENT ON TABLE moved_contents IS
  'Content of emails that was moved to object storage. An email has a row here or in email_contents, never both. Partitioned by week.';
COMMENT ON COLUMN moved_contents.object_id IS
  'Chosen anew each time content is moved, so that an object due for removal is never in use.';
COMMENT ON COLUMN moved_contents.seal_key IS
  'Key of this object alone. Without this row the object cannot be read.';
COMMENT ON COLUMN moved_contents.content_bytes IS
  'Size of the content without attachments.';
COMMENT ON COLUMN moved_contents.message_id IS
  'The Message-ID of a message that was submitted whole.';

COMMENT ON TABLE mta_sts_policies IS
  'MTA-STS policies of recipient domains, so that a restart does not forget what a domain demands.';
COMMENT ON COLUMN mta_sts_policies.policy_id IS
  'The id in DNS when the policy was fetched.';
COMMENT ON COLUMN mta_sts_policies.refresh_at IS
  'When the policy is fetched again, even if no mail is sent there.';
COMMENT ON COLUMN mta_sts_policies.used_at IS
  'The day of the last mail to the domain.';

COMMENT ON TABLE object_removals IS
  'Objects in object storage that have to be removed, or may have to be. A row is written before its object.';
COMMENT ON COLUMN object_removals.object IS
  'The name of an object. With a slash at the end: all objects whose names begin with it.';
COMMENT ON COLUMN object_removals.state IS
  'putting: an upload is under way, which removes this row with its commit. removing: the object is not in use any more.';
COMMENT ON COLUMN object_removals.due_at IS
  'From then on any worker may remove the object.';

COMMENT ON TABLE organization_cells IS
  'Which cell each organization is in, for those that are not in the first cell. Empty in other cells.';
COMMENT ON COLUMN organization_cells.is_moving IS
  'The organization is on its way to another cell; no process may act for it until it is there.';
COMMENT ON COLUMN organization_cells.version IS
  'Increases with every change of the table, so that processes read only what is new.';

COMMENT ON TABLE organization_moves IS
  'Moves of organizations between cells, and how far each has come. An interrupted move goes on from its step.';
COMMENT ON COLUMN organization_moves.way IS
  'replicated: rows are copied while the organization is in use. offline: while it is stopped.';

COMMENT ON TABLE organizations IS
  'The tenants. All mail, domains, keys and settings belong to one. Each cell has a copy of the rows of its own organizations.';
COMMENT ON COLUMN organizations.id IS
  '"org_0000000000000" is the installation itself, which sends mail to its own users.';
COMMENT ON COLUMN organizations.daily_limit IS
  'Recipients that are accepted per UTC day. 0: no limit.';
COMMENT ON COLUMN organizations.auto_validation IS
  'Whether recipients are validated when an email is accepted, and how strictly.';
COMMENT ON COLUMN organizations.track_opens IS
  'Whether opens are tracked where the request does not say.';
COMMENT ON COLUMN organizations.track_clicks IS
  'Which links are tracked where the request does not say.';
COMMENT ON COLUMN organizations.guard IS
  'Whether the guard slows floods to one recipient and holds mail that a provider refuses.';
COMMENT ON COLUMN organizations.guard_allow IS
  'Addresses and domains whose mail the guard never slows.';
COMMENT ON COLUMN organizations.expires_at IS
  'For organizations made for a test run: when a chore removes them with all they have.';

COMMENT ON TABLE outbox IS
  'The queue: one narrow row per recipient that still has to be delivered to. A row leaves when its delivery is final.';
COMMENT ON COLUMN outbox.due_at IS
  'When the next attempt may begin. Infinity while the delivery is held.';
COMMENT ON COLUMN outbox.expires_at IS
  'When delivery is given up. Infinity while the delivery is held.';
COMMENT ON COLUMN outbox.worker IS
  'The epoch of the worker that has claimed the row. Null while the row waits.';
COMMENT ON COLUMN outbox.size IS
  'Approximate size of the message in bytes, which bounds the memory of a worker.';
COMMENT ON COLUMN outbox.attempt IS
  'Attempts that have begun.';
COMMENT ON COLUMN outbox.mode IS
  'As emails.mode. A worker claims only rows of its own mode.';
COMMENT ON COLUMN outbox.first_attempt_at IS
  'Date header and signature time of the message, the same at every attempt. Null before the first.';
COMMENT ON COLUMN outbox.hold_id IS
  'The hold that the row is parked for, or "approval". Null: not held.';
COMMENT ON COLUMN outbox.time_left IS
  'How much of the lifetime was left when the row was parked.';

COMMENT ON TABLE own_dkim_keys IS
  'DKIM keys of the installation''s own domains, which sign mail in addition to the sender''s domain.';
COMMENT ON COLUMN own_dkim_keys.private_key IS
  'Encrypted, bound to the domain.';
COMMENT ON COLUMN own_dkim_keys.switches IS
  'When signing began, ended, began again. Mail is signed if its first attempt comes after an odd number of these.';
COMMENT ON COLUMN own_dkim_keys.missing_since IS
  'Since when DNS lacks the record of a key that signs. Null while the record is there.';

COMMENT ON TABLE received_days IS
  'How much mail an organization received on a day, and how much of it is stored.';

COMMENT ON TABLE received_emails IS
  'Mail that organizations received. One row per organization that a message was for, written before the sender gets its 250.';
COMMENT ON COLUMN received_emails.state IS
  'waiting: to be parsed. read: parsed. unreadable: cannot be parsed; only the source is stored.';
COMMENT ON COLUMN received_emails.due_at IS
  'While it waits: from when on a worker may parse it.';
COMMENT ON COLUMN received_emails.helo IS
  'The name in the client''s HELO or EHLO.';
COMMENT ON COLUMN received_emails.secured IS
  'The connection was encrypted.';
COMMENT ON COLUMN received_emails.token_email_id IS
  'The sent email whose reply address was used.';
COMMENT ON COLUMN received_emails.stored_bytes IS
  '0 once retention has removed the content.';
COMMENT ON COLUMN received_emails.raw IS
  'The message as it came. Null once retention has removed the content.';
COMMENT ON COLUMN received_emails.digest IS
  'Hash of message and envelope, for messages with a Message-ID. The same again is the same message.';
COMMENT ON COLUMN received_emails.reply IS
  'The text without quoted parts.';
COMMENT ON COLUMN received_emails.authentication IS
  'Results of SPF, DKIM and DMARC.';
COMMENT ON COLUMN received_emails.scans IS
  'Results of external scanners.';
COMMENT ON COLUMN received_emails.automatic IS
  'Written by a machine: an automatic reply, a bounce or a mailing list.';
COMMENT ON COLUMN received_emails.problem IS
  'Why the message could not be parsed.';
COMMENT ON COLUMN received_emails.reply_to_email_id IS
  'The sent email that this message answers.';

COMMENT ON TABLE receiving_names IS
  'Names at which an organization receives mail: a verified domain, or a name below one. A name has one organization.';
COMMENT ON COLUMN receiving_names.mx_check IS
  'The result of the last check of the MX records.';

COMMENT ON TABLE recipients IS
  'One row per address that an email goes to. An address that is named twice is delivered to once. Partitioned by week on email_id.';
COMMENT ON COLUMN recipients.position IS
  'Number of the recipient within the email, from 0.';
COMMENT ON COLUMN recipients.opened_at IS
  'The last recorded open. At most one event a minute is recorded.';
COMMENT ON COLUMN recipients.opened_by_person IS
  'False while only machines have opened it, so that a prefetch does not hide the first open by a person.';

COMMENT ON TABLE request_logs IS
  'Requests that were refused, wholly or in part. The newest 10,000 of an organization, for 7 days.';
COMMENT ON COLUMN request_logs.id IS
  'UUIDv7 of the moment of the request.';
COMMENT ON COLUMN request_logs.count IS
  'How many equal requests the row stands for.';
COMMENT ON COLUMN request_logs.facts IS
  'fields: what was wrong. recipients: who would have been mailed. excerpt: part of the body, redacted.';

COMMENT ON TABLE request_shares IS
  'Rate limits that several API processes share: requests of each caller in the current minute. Unlogged.';
COMMENT ON COLUMN request_shares.caller IS
  'The organization or agent, and the role.';
COMMENT ON COLUMN request_shares.minute IS
  'Minutes since 1970.';
COMMENT ON COLUMN request_shares.granted IS
  'How many requests the process that asked last was granted.';

COMMENT ON TABLE retention_settings IS
  'How long an organization''s mail is kept, in days. No row: the defaults. 0: for ever.';

COMMENT ON TABLE route_table IS
  'The rules that choose a transport for each message, in order. One row, because the rules change together.';
COMMENT ON COLUMN route_table.version IS
  'Increases with every change, so that a change based on an older version is refused.';

COMMENT ON TABLE sandbox_greylist IS
  'Sandbox deliveries that the simulator has greylisted once, so that the next attempt is accepted.';

COMMENT ON TABLE sandbox_messages IS
  'Messages in the sandbox inbox. The newest 1,000 of an organization.';
COMMENT ON COLUMN sandbox_messages.from_email IS
  'Read from the headers when the message came in, so that lists parse no mail.';
COMMENT ON COLUMN sandbox_messages.read_at IS
  'When a user first opened the message.';

COMMENT ON TABLE schema_migrations IS
  'The migrations that were applied.';
COMMENT ON COLUMN schema_migrations.needs IS
  'The lowest schema version that code has to know to use the database after this migration. 0: no higher than before. Null: version.';

COMMENT ON TABLE search_backfill IS
  'How far older mail was given the hashes that searches use. The row is removed when all mail has them.';
COMMENT ON COLUMN search_backfill.week IS
  'The week that is worked on, newest first. email_id is its last email that is done.';

COMMENT ON TABLE second_factor_failures IS
  'Wrong second factors after a correct password, per user. Known devices are counted apart, so that an attacker who knows the password cannot lock the user out.';
COMMENT ON COLUMN second_factor_failures.since IS
  'When the first of these failures was.';
COMMENT ON COLUMN second_factor_failures.rounds IS
  'Cool-downs so far. Each is twice as long as the previous one.';

COMMENT ON TABLE secret_key_holders IS
  'Which secret keys each running process can read. A new key is used only when all processes have it.';

COMMENT ON TABLE secret_keys IS
  'The secret keys that were in use, by id. The keys themselves are not stored.';
COMMENT ON COLUMN secret_keys.current_from IS
  'From when on this key encrypts.';
COMMENT ON COLUMN secret_keys.retired_at IS
  'When the key was dropped. The row stays, so that the id is not taken for a new key.';

COMMENT ON TABLE sending_hosts IS
  'What live workers last found about the names they send under: DNS, SPF and reverse DNS.';
COMMENT ON COLUMN sending_hosts.findings IS
  'A list of about, status and message.';

COMMENT ON TABLE sending_workers IS
  'Live workers of all cells, when there are several cells: a site''s limit is divided among them. Unlogged.';
COMMENT ON COLUMN sending_workers.addresses IS
  'The sending addresses that the worker''s machine has.';

COMMENT ON TABLE sessions IS
  'Signed-in dashboard sessions.';
COMMENT ON COLUMN sessions.hash IS
  'SHA-256 of the session cookie.';
COMMENT ON COLUMN sessions.organization_id IS
  'The organization that the session works in. It changes when the user switches.';
COMMENT ON COLUMN sessions.expires_at IS
  'Extended with use, up to a limit counted from created_at.';

COMMENT ON TABLE sign_in_attempts IS
  'Failed sign-ins per address and account, for rate limiting. Unlogged.';
COMMENT ON COLUMN sign_in_attempts.key IS
  'A hash; no address is stored.';

COMMENT ON TABLE site_domains IS
  'Which site mail for a domain last went to. For display and statistics; routing asks DNS.';
COMMENT ON COLUMN site_domains.delivered_at IS
  'The day on which the site last accepted mail for the domain.';

COMMENT ON TABLE site_times IS
  'How long recent deliveries to each site took, for estimates. A sample.';
COMMENT ON COLUMN site_times.took IS
  'Milliseconds from acceptance (or the scheduled time), oldest first.';

COMMENT ON TABLE sites IS
  'Destinations (groups of mail hosts that domains share) with a restriction: paused, blocked, slowed down or limited in connections.';
COMMENT ON COLUMN sites.name IS
  'The site, derived from the MX hosts.';
COMMENT ON COLUMN sites.paused_at IS
  'Paused by an operator.';
COMMENT ON COLUMN sites.block IS
  'Not to be tried before untilMs; count: blocks in a row.';
COMMENT ON COLUMN sites.slow IS
  'pace: messages a minute; fullPace: before it was slowed down.';
COMMENT ON COLUMN sites.narrow IS
  'connections: how many at a time.';

COMMENT ON TABLE source_days IS
  'What a sending address that is being warmed up has sent to each provider, by UTC day.';
COMMENT ON COLUMN source_days.used IS
  'Recipients that workers were granted.';
COMMENT ON COLUMN source_days.objected IS
  'Refused or deferred because of the sender.';

COMMENT ON TABLE standstills IS
  'Organizations that are moving into or out of this cell. Their mail and webhooks are not claimed here meanwhile.';
COMMENT ON COLUMN standstills.is_closed IS
  'No mail is accepted for the organization in this cell any more, whatever a process still believes.';

COMMENT ON TABLE stream_counts IS
  'Results of emails by stream and hour of acceptance. The stream "transactional" has no rows: it is hourly_counts minus the others.';

COMMENT ON TABLE stream_paces IS
  'What was sent of each rate-limited stream in the current minute and hour. Workers reserve from it before they send.';
COMMENT ON COLUMN stream_paces.minute IS
  'Minutes since 1970.';
COMMENT ON COLUMN stream_paces.hour IS
  'Hours since 1970.';
COMMENT ON COLUMN stream_paces.line_until IS
  'Until when the waiting mail of the stream will take. New mail goes after it.';

COMMENT ON TABLE stream_reactions IS
  'Complaints and clicks by stream and hour of acceptance. Separate from stream_counts for the same reason as complaint_counts.';

COMMENT ON TABLE streams IS
  'Streams (kinds of mail that an organization keeps apart). "transactional" and "bulk" exist without a row.';
COMMENT ON COLUMN streams.priority IS
  'For mail of the stream that names no priority, as emails.priority.';
COMMENT ON COLUMN streams.messages_per_minute IS
  'Null: no limit.';
COMMENT ON COLUMN streams.messages_per_hour IS
  'Null: no limit.';

COMMENT ON TABLE suppression_counts IS
  'How many suppressions of each reason an organization has.';

COMMENT ON TABLE suppression_imports IS
  'Uploaded suppression lists on their way into suppressions. An interrupted import goes on where it stopped.';
COMMENT ON COLUMN suppression_imports.reason IS
  'For lines without a reason. Null: new entries are manual, existing ones keep theirs.';
COMMENT ON COLUMN suppression_imports.payload IS
  'The list itself. Null once it was read.';
COMMENT ON COLUMN suppression_imports.processed IS
  'Changes in the same transaction as the rows that it counts.';
COMMENT ON COLUMN suppression_imports.errors IS
  'The first invalid lines: line, field and message.';
COMMENT ON COLUMN suppression_imports.lease_until IS
  'Until when a worker has the import. Another one may take it over afterwards.';

COMMENT ON TABLE suppressions IS
  'Addresses that an organization must not mail, up to millions.';
COMMENT ON COLUMN suppressions.id IS
  'UUIDv7, so that the primary key lists newest first.';
COMMENT ON COLUMN suppressions.key IS
  'The address in the form in which addresses are compared. For an unsubscription from a group: the address, a space and the group. For an erased address: its hash.';
COMMENT ON COLUMN suppressions.email_id IS
  'The email that caused an automatic entry.';
COMMENT ON COLUMN suppressions.cause IS
  'The reason that the event of an automatic entry has.';
COMMENT ON COLUMN suppressions.unsubscribe_group IS
  'The group of mail that is stopped. Null: all mail.';

COMMENT ON TABLE template_counts IS
  'How many emails were accepted from a template on a day.';

COMMENT ON TABLE template_drafts IS
  'Unpublished changes of a template, at most one draft per template. Publishing it makes a version.';
COMMENT ON COLUMN template_drafts.partials IS
  'The partials by the names that the draft uses for them.';
COMMENT ON COLUMN template_drafts.uses IS
  'Ids of the layout and partials, so that templates in use are not deleted.';
COMMENT ON COLUMN template_drafts.based_on IS
  'The version that the draft was begun from.';

COMMENT ON TABLE template_versions IS
  'Versions of templates. A version never changes. An email keeps the version that it was accepted with.';
COMMENT ON COLUMN template_versions.variable_schema IS
  'JSON Schema of the variables.';
COMMENT ON COLUMN template_versions.partials IS
  'The partials by the names that the version uses for them: {"footer": "tmpl_…"}.';
COMMENT ON COLUMN template_versions.translations IS
  'The same in other languages: a list of locale, subject, html and text.';
COMMENT ON COLUMN template_versions.inline_css IS
  'Whether style sheets are written into the elements.';

COMMENT ON TABLE templates IS
  'Saved templates, layouts and partials. Deleted ones stay, so that their mail can still be read.';
COMMENT ON COLUMN templates.subject IS
  'Subject of the current version, for lists and search.';
COMMENT ON COLUMN templates.version IS
  'The current version.';
COMMENT ON COLUMN templates.is_active IS
  'False once the template is deleted.';
COMMENT ON COLUMN templates.alias IS
  'A name chosen by the organization, usable instead of the id. Deleting the template frees it.';
COMMENT ON COLUMN templates.number IS
  'A numeric id for clients of other services'' APIs. Never given twice.';
COMMENT ON COLUMN templates.sample_data IS
  'Variables for the preview. Not part of a version.';
COMMENT ON COLUMN templates.kind IS
  'layout: wraps templates. partial: is included in templates by its alias.';
COMMENT ON COLUMN templates.uses IS
  'Ids of the layout and partials of the current version, so that templates in use are not deleted.';

COMMENT ON TABLE tls_reports IS
  'TLS reports (RFC 8460) that are due to domains that ask for them, one per domain and day.';
COMMENT ON COLUMN tls_reports.due_at IS
  'When a worker may send the report. A worker moves it ahead to reserve the report.';
COMMENT ON COLUMN tls_reports.ended_at IS
  'When the report was sent or dropped. The row is kept, so that sessions counted late are not reported twice.';
COMMENT ON COLUMN tls_reports.outcome IS
  'sent, or unwanted where the domain no longer asks for reports.';
COMMENT ON COLUMN tls_reports.problem IS
  'Why sending was last put off.';

COMMENT ON TABLE tls_rows IS
  'Rows of TLS reports that receivers sent about an organization''s domains.';
COMMENT ON COLUMN tls_rows.failure IS
  'Null: these sessions had no problem.';
COMMENT ON COLUMN tls_rows.digest IS
  'The report, as domain_reports.digest.';

COMMENT ON TABLE tls_sessions IS
  'TLS sessions to be reported in tls_reports, counted by policy, host and failure.';
COMMENT ON COLUMN tls_sessions.policy IS
  'Lines of the MTA-STS policy, or the TLSA records.';
COMMENT ON COLUMN tls_sessions.policy_key IS
  'Digest of policy, because an index takes no long text.';
COMMENT ON COLUMN tls_sessions.failure IS
  'Empty: these sessions had no problem.';
COMMENT ON COLUMN tls_sessions.mx_address IS
  'Address of one of these sessions.';

COMMENT ON TABLE transports IS
  'The ways mail can leave: directly, or through a relay. Empty: as the environment configures.';
COMMENT ON COLUMN transports.settings IS
  'As the API shows them.';
COMMENT ON COLUMN transports.password IS
  'Password of a relay, encrypted and bound to the name.';

COMMENT ON TABLE undos IS
  'Incidents that a user took back: bounces of a time window are sent again and their suppressions lifted. Rows are never removed.';
COMMENT ON COLUMN undos.stage IS
  'First the bounces, then the rejections that followed from suppressions which the bounces had caused.';
COMMENT ON COLUMN undos.at_event IS
  'The last event of this stage that is done.';
COMMENT ON COLUMN undos.left_alone IS
  'How many bounces were not sent again, by reason.';

COMMENT ON TABLE users IS
  'People who sign in to the dashboard. A user may belong to several organizations.';
COMMENT ON COLUMN users.email IS
  'Canonical form: all in lower case, the domain in ASCII.';
COMMENT ON COLUMN users.password IS
  'Algorithm with parameters, salt and hash.';
COMMENT ON COLUMN users.totp_secret IS
  'Encrypted. Also set while the second factor is being set up.';
COMMENT ON COLUMN users.totp_last_step IS
  'Time step of the last accepted code, so that a code works once.';
COMMENT ON COLUMN users.recovery_codes IS
  'SHA-256 of the unused recovery codes.';
COMMENT ON COLUMN users.last_organization_id IS
  'Where the next session begins.';
COMMENT ON COLUMN users.email_proven_at IS
  'When the user proved that mail reaches the address. Null: not yet.';
COMMENT ON COLUMN users.email_proven_in IS
  'The mode in which the address was proven. Null for the users who set the installation up.';
COMMENT ON COLUMN users.disabled IS
  'Set by the operator. A disabled user keeps memberships and password, and cannot sign in.';

COMMENT ON TABLE validation_settings IS
  'An organization''s additions to, and exceptions from, the built-in lists of disposable domains.';

COMMENT ON TABLE webhook_deliveries IS
  'Queue and log of webhooks: one row per event and endpoint, written with the event and kept for 30 days.';
COMMENT ON COLUMN webhook_deliveries.email_id IS
  'Null in a test event.';
COMMENT ON COLUMN webhook_deliveries.due_at IS
  'When the next try may begin, while the row is pending.';
COMMENT ON COLUMN webhook_deliveries.worker IS
  'The epoch of the worker that has claimed the row. Null while the row waits.';
COMMENT ON COLUMN webhook_deliveries.tries IS
  'Tries of the current round. A replay begins at 0.';
COMMENT ON COLUMN webhook_deliveries.attempts IS
  'Every try, oldest first: at, status, latency_ms, response, error and next_attempt_at.';
COMMENT ON COLUMN webhook_deliveries.payload IS
  'The message, for events that are not about an email. Null: the message is built from the event and its email.';

COMMENT ON TABLE webhook_endpoints IS
  'Webhook endpoints of organizations.';
COMMENT ON COLUMN webhook_endpoints.event_types IS
  'Null: all types, including future ones. Without "email." in front.';
COMMENT ON COLUMN webhook_endpoints.secret IS
  'Encrypted signing secret.';
COMMENT ON COLUMN webhook_endpoints.previous_secret IS
  'Signs as well until previous_until, after a rotation.';
COMMENT ON COLUMN webhook_endpoints.failing_since IS
  'Since when no call has succeeded. Null after a success.';
COMMENT ON COLUMN webhook_endpoints.format IS
  'postrider, or the service whose webhook format is used.';
COMMENT ON COLUMN webhook_endpoints.streams IS
  'Null: events of all streams.';

COMMENT ON TABLE worker_sources IS
  'Which of the sending addresses of transports each worker''s machine has.';
COMMENT ON COLUMN worker_sources.epoch IS
  'The worker, as workers.epoch.';

COMMENT ON TABLE workers IS
  'Running worker processes. A worker owns the queue rows that carry its epoch for as long as its heartbeat is fresh.';
COMMENT ON COLUMN workers.epoch IS
  'Number of this run of a worker. Never given twice.';
COMMENT ON COLUMN workers.machine IS
  'Kernel and PID namespace that the pid belongs to, because containers may share a host name.';
COMMENT ON COLUMN workers.schema IS
  'Schema version that the worker knows. Null for a worker of an earlier release.';

COMMENT ON VIEW attached_files IS
  'Attachments of emails: an email''s own, or those of its batch.';

COMMENT ON VIEW kept_contents IS
  'Emails whose content is stored, in the database or in object storage.';

COMMENT ON TABLE acme_accounts IS
  'The account at each ACME directory that TLS certificates are ordered from.';
COMMENT ON COLUMN acme_accounts.sealed_key IS
  'Private key of the account, encrypted with the secret key of the installation.';

COMMENT ON TABLE acme_challenges IS
  'Open challenges. Every API process answers them, whichever worker runs the order.';

COMMENT ON TABLE certificates IS
  'TLS certificates by ACME: one row per directory and name, with the state of its order.';
COMMENT ON COLUMN certificates.chain IS
  'Certificate chain in PEM. Null until the first certificate is issued.';
COMMENT ON COLUMN certificates.sealed_key IS
  'Private key of the certificate, encrypted with the secret key of the installation.';
COMMENT ON COLUMN certificates.order_url IS
  'The order in progress. Its URL and key are stored before the certificate is issued, so that a killed process loses neither.';
COMMENT ON COLUMN certificates.due_at IS
  'Time of the next attempt.';
COMMENT ON COLUMN certificates.holder IS
  'The process that works on the order until held_until. Afterwards another process may take over.';
COMMENT ON COLUMN certificates.wanted_at IS
  'When a process last asked for a certificate of this name, to the hour.';
