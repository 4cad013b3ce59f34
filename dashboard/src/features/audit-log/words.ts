/** What the audit log says, in words: “Ada created the API key Shop”. */

/** What comes before the name of what it was done to. */
export const DEEDS: Readonly<Record<string, string>> = {
  'api_key.created': 'created the API key',
  'api_key.revoked': 'revoked the API key',
  'api_key.rotated': 'rotated the API key',
  'canary.paused': 'paused the canary',
  'canary.resumed': 'resumed the canary',
  'canary.taken_back': 'rolled back the canary',
  'canary.finished': 'finished the canary',
  'domain.created': 'added the domain',
  'domain.deleted': 'deleted the domain',
  'domain.tracking_changed': 'changed the tracking of',
  'domain.dkim_rotation_started': 'started rotating the DKIM key of',
  'domain.dkim_rotation_cancelled': 'cancelled the DKIM rotation of',
  'approval.approved': 'approved mail:',
  'approval.rejected': 'rejected mail:',
  'api_key.policy_changed': 'changed the policy of the API key',
  'email.cancelled': 'cancelled the email',
  'email.resent': 'sent again the email',
  'email.rescheduled': 'rescheduled the email',
  'email.test_sent': 'sent the test email',
  'hold.placed': 'held mail:',
  'hold.released': 'released held mail:',
  'hold.discarded': 'discarded held mail:',
  'inbound_message.deleted': 'deleted an inbound message',
  'incident.undone': 'recovered bounces',
  'installation.backed_up': 'created a backup',
  'installation.restored': 'restored a backup',
  'invite.created': 'invited',
  'invite.deleted': 'withdrew the invite of',
  'member.joined': 'joined',
  'member.removed': 'removed the member',
  'member.updated': 'changed the role of',
  'organization.created': 'created the organization',
  'organization.limit_changed': 'changed the sending limit of',
  'organization.moved': 'moved to another cell',
  'organization.move_abandoned': 'cancelled the move of',
  'organization.updated': 'renamed the organization to',
  'queue.discarded': 'discarded everything that was queued',
  'queue.flushed': 'retried everything that was queued',
  'recipient.erased': 'erased an address',
  'content.brought_back': 'restored content from object storage',
  'recipient.exported': 'exported the data of',
  'routes.changed': 'changed the routes',
  'sandbox.emptied': 'emptied the sandbox inbox',
  'sandbox.organization_created': 'created an organization for a test run',
  'sandbox.message_deleted': 'deleted a message of the sandbox inbox',
  'secret_key.retired': 'retired a secret key of the installation',
  'secret_key.rotated': 'rotated the secret key of the installation',
  'session.created': 'signed in',
  'session.ended': 'signed out',
  'session.ended_elsewhere': 'signed another session out',
  'session.ended_everywhere': 'signed out everywhere',
  'session.refused': 'failed to sign in',
  'settings.guard_changed': 'changed the guard',
  'settings.auto_validation_changed': 'changed automatic validation',
  'settings.retention_changed': 'changed how long mail is kept',
  'settings.tracking_changed': 'changed tracking',
  'settings.validation_changed': 'changed the lists of disposable domains',
  'feedback_loop.changed': 'changed a feedback loop,',
  'site.paused': 'paused sending to',
  'site.resumed': 'resumed sending to',
  'site.tried': 'tried again to reach',
  'receiving_domain.added': 'started receiving mail at',
  'receiving_domain.removed': 'stopped receiving mail at',
  'inbound_route.created': 'created the route',
  'inbound_route.deleted': 'removed the route',
  'inbound_route.updated': 'changed the route',
  'received_email.deleted': 'deleted the received mail',
  'stream.created': 'created the stream',
  'stream.deleted': 'removed the stream',
  'stream.updated': 'changed the stream',
  'view.created': 'saved the view',
  'view.deleted': 'deleted the view',
  'view.updated': 'changed the view',
  'suppression.created': 'suppressed',
  'suppression.deleted': 'removed from the suppression list:',
  'suppression.imported': 'imported suppressions',
  'template.created': 'created the template',
  'template.deleted': 'deleted the template',
  'template.draft_discarded': 'discarded the draft of the template',
  'template.draft_saved': 'saved a draft of the template',
  'template.published': 'published the template',
  'template.restored': 'restored an older version of the template',
  'template.updated': 'changed the template',
  'user.created': 'created the user',
  'user.disabled': 'disabled the user',
  'user.email_confirmed': 'confirmed their address',
  'user.enabled': 'enabled the user',
  'user.link_created': 'created a password reset link for',
  'user.password_changed': 'changed their password',
  'user.password_reset': 'reset their password by email',
  'user.totp_disabled': 'turned off two-factor authentication',
  'user.totp_enabled': 'turned on two-factor authentication',
  'user.updated': 'changed their name',
  'webhook.created': 'added the webhook',
  'webhook.deleted': 'deleted the webhook',
  'webhook.secret_rotated': 'created a new secret for the webhook',
  'webhook.updated': 'changed the webhook',
};

/** A new action that nobody has put into words yet is still told. */
export function deedWords(action: string): string {
  return DEEDS[action] ?? settingWords(action) ?? action.replaceAll(/[._]/g, ' ');
}

export function hasWords(action: string): boolean {
  return action in DEEDS || settingWords(action) !== undefined;
}

function settingWords(action: string): string | undefined {
  const [, setting] = /^settings\.(\w+)_changed$/.exec(action) ?? [];
  return setting && `changed the setting “${setting.replaceAll('_', ' ')}”`;
}

/** What the log can be narrowed to: the part of an action before its dot. */
export const AREAS = [
  { key: 'session', label: 'Signing in and out' },
  { key: 'user', label: 'Accounts' },
  { key: 'member', label: 'Members' },
  { key: 'invite', label: 'Invites' },
  { key: 'api_key', label: 'API keys' },
  { key: 'domain', label: 'Domains' },
  { key: 'template', label: 'Templates' },
  { key: 'suppression', label: 'Suppressions' },
  { key: 'recipient', label: 'Erasing and exporting addresses' },
  { key: 'email', label: 'Cancelled and rescheduled mail' },
  { key: 'webhook', label: 'Webhooks' },
  { key: 'settings', label: 'Settings' },
  { key: 'organization', label: 'Organization' },
  { key: 'hold', label: 'Holds' },
  { key: 'incident', label: 'Recovered bounces' },
  { key: 'site', label: 'Receiving servers' },
] as const;

export function detailWords(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${shown(value)}`)
    .join(', ');
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.map(shown).join(' and ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
