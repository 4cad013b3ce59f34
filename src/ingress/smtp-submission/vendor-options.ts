/**
 * Options in other services' SMTP headers: Postmark (X-PM-*), SendGrid (X-SMTPAPI), Mailgun (X-Mailgun-*) and
 * Amazon SES (X-SES-*). Unsupported features (address pools) are ignored; options that would change the mail
 * are refused.
 */
import { fromPostmarkStream } from '../../emails/stream.ts';
import {
  type Collected,
  momentOfSeconds,
  namedValue,
  type ReadField,
  readBoolean,
  readClickTracking,
  readJson,
  WrongOption,
} from './collected.ts';

const tracking: ReadField = (into, field, value) => into.set(field, 'track_opens', readBoolean(field, value));

const clicks: ReadField = (into, field, value) =>
  into.set(field, 'track_clicks', readClickTracking(field, value));
const links: ReadField = (into, field, value) => into.set(field, 'track_clicks', postmarkLinks(value));

const VENDORS: Readonly<Record<string, ReadField>> = {
  'x-pm-tag': (into, field, value) => into.addTag(field, 'tag', value),
  'x-pm-track-opens': tracking,
  'x-pm-trackopens': tracking,
  'x-pm-track-links': links,
  'x-pm-tracklinks': links,
  'x-pm-message-stream': (into, field, value) => into.set(field, 'stream', fromPostmarkStream(value)),
  'x-smtpapi': (into, field, value) => readSendGrid(into, field, readJson(field, value)),
  'x-mailgun-tag': (into, field, value) => into.addNumberedTag(field, 'tag', value),
  'x-mailgun-variables': (into, field, value) => into.addMetadata(field, readJson(field, value)),
  'x-mailgun-track-opens': tracking,
  'x-mailgun-track-clicks': clicks,
  // Covers both opens and clicks: `yes` leaves them to the settings, and an option for one of them takes
  // precedence.
  'x-mailgun-track': (into, field, value) => {
    if (readBoolean(field, value)) return;
    into.set(field, 'track_opens', false);
    into.assume('track_clicks', 'off');
  },
  'x-mailgun-deliver-by': (into, field, value) => into.set(field, 'scheduled_at', momentOfDate(field, value)),
  'x-mailgun-template-name': (into, field, value) => into.set(field, 'template_id', value),
  'x-mailgun-template-variables': (into, field, value) =>
    into.set(field, 'template_data', readJson(field, value)),
  'x-mailgun-drop-message': refusedIfOn('this server has no test mode for single messages: use its sandbox'),
  'x-mailgun-require-tls': refusedIfOn(
    'here encryption is demanded of all servers on the way, which few can promise: X-Postrider-Require-Tls',
  ),
  'x-mailgun-recipient-variables': refused('send one message for each recipient'),
  'x-ses-message-tags': readSesTags,
  'x-ses-list-management-options': readSesLists,
};

/** `name` is in lower case, `field` in its original spelling. */
export function readVendorField(into: Collected, name: string, field: string, value: string): void {
  if (name.startsWith(PM_METADATA)) into.addMetadata(field, { [field.slice(PM_METADATA.length)]: value });
  else VENDORS[name]?.(into, field, value);
}

const PM_METADATA = 'x-pm-metadata-';

const UNUSABLE_PARTS = ['to', 'sub', 'section', 'send_each_at'];

function readSendGrid(into: Collected, field: string, api: Record<string, unknown>): void {
  for (const part of UNUSABLE_PARTS) {
    if (api[part] !== undefined)
      throw new WrongOption(`${field}: ${part} is not here, send one message for each recipient.`);
  }
  const categories = Array.isArray(api.category)
    ? api.category
    : api.category === undefined
      ? []
      : [api.category];
  for (const category of categories) into.addNumberedTag(field, 'category', category);
  if (api.unique_args !== undefined)
    into.addMetadata(field, asObject(`${field}: unique_args`, api.unique_args));
  if (api.send_at !== undefined)
    into.set(field, 'scheduled_at', momentOfSeconds(`${field}: send_at`, api.send_at));
  if (api.asm_group_id !== undefined) into.set(field, 'unsubscribe_group', `asm-${String(api.asm_group_id)}`);
  readSendGridFilters(into, field, asObject(`${field}: filters`, api.filters ?? {}));
}

function readSendGridFilters(into: Collected, field: string, filters: Record<string, unknown>): void {
  const settingsOf = (name: string) => {
    const filter = asObject(`${field}: filters.${name}`, filters[name] ?? {});
    return asObject(`${field}: filters.${name}.settings`, filter.settings ?? {});
  };
  const opens = settingsOf('opentrack').enable;
  if (opens !== undefined) into.set(field, 'track_opens', readBoolean(field, String(opens)));
  const { enable: clicks, enable_text: inText } = settingsOf('clicktrack');
  if (clicks !== undefined) {
    const isOn = readBoolean(field, String(clicks));
    const isInText = inText !== undefined && readBoolean(field, String(inText));
    into.set(field, 'track_clicks', isOn ? (isInText ? 'html_and_text' : 'html') : 'off');
  }
  const templates = settingsOf('templates');
  const isTemplated = templates.enable !== undefined && readBoolean(field, String(templates.enable));
  if (isTemplated) into.set(field, 'template_id', templates.template_id);
  const subscriptions = settingsOf('subscriptiontrack').enable;
  if (subscriptions !== undefined && readBoolean(field, String(subscriptions)))
    into.set(field, 'unsubscribe', true);
}

/**
 * Postmark's values. Tracking of text links alone is treated as tracking of both. Invalid values stay for the
 * schema to refuse.
 */
export function postmarkLinks(value: unknown): unknown {
  return POSTMARK_LINKS.get(String(value).toLowerCase()) ?? value;
}

const POSTMARK_LINKS = new Map([
  ['none', 'off'],
  ['htmlonly', 'html'],
  ['htmlandtext', 'html_and_text'],
  ['textonly', 'html_and_text'],
]);

/** `name=value, other=value` */
function readSesTags(into: Collected, field: string, value: string): void {
  for (const pair of value.split(',')) {
    const { name, text } = namedValue(pair);
    if (name === '' || /\s/.test(name)) throw new WrongOption(`${field} must be name=value, name=value.`);
    into.addTag(field, name, text);
  }
}

/** `contactListName=x; topicName=y`, or without the names. */
function readSesLists(into: Collected, field: string, value: string): void {
  const [, topic] = value.split(';').map((part) => part.replace(/^[^=]*=/, '').trim());
  into.set(field, 'unsubscribe', true);
  if (topic) into.set(field, 'unsubscribe_group', topic);
}

/** `Fri, 25 Oct 2030 23:10:10 +0000`, the date format of mail. */
function momentOfDate(field: string, value: string): string {
  const ms = Date.parse(value);
  if (Number.isNaN(ms))
    throw new WrongOption(`${field} must be a date such as Fri, 25 Oct 2030 23:10:10 +0000.`);
  return new Date(ms).toISOString();
}

function asObject(what: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new WrongOption(`${what} must be an object.`);
}

function refused(instead: string): ReadField {
  return (_into, field) => {
    throw new WrongOption(`${field} is not here: ${instead}.`);
  };
}

function refusedIfOn(instead: string): ReadField {
  return (into, field, value) => {
    if (readBoolean(field, value)) refused(instead)(into, field, value);
  };
}
