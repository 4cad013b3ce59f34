/**
 * Header fields with sending options: `X-Postrider-*`, and those of other services. An invalid option refuses
 * the message, so that a typo cannot send the wrong mail.
 */

import type { MailOptions } from '../../emails/email.ts';
import { mailOptionsOf } from '../../emails/options-schema.ts';
import { createValidatorCompiler } from '../../http/validation.ts';
import { decodeHeaderText } from '../../protocols/message/reading/encoded-words.ts';
import { fieldValue, type HeaderField } from '../../protocols/message/reading/header-block.ts';
import type { Clock } from '../../runtime/clock.ts';
import { canonicalLocale } from '../../runtime/locale.ts';
import { nearestName } from '../../runtime/nearest-name.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import type { TemplateData } from '../../template-language/render.ts';
import {
  Collected,
  namedValue,
  optionsSchema,
  type ReadField,
  readBoolean,
  readClickTracking,
  readJson,
  type SubmissionOptions,
  WrongOption,
} from './collected.ts';
import { readVendorField } from './vendor-options.ts';

export interface MessageOptions {
  /** Without headers, which are in the message. */
  readonly mailOptions: MailOptions;
  readonly template: {
    readonly id: string;
    readonly data: TemplateData;
    readonly locale: string | null;
  } | null;
  readonly idempotencyKey: string | null;
  /** Set when the message itself requests tracking, not only a setting. */
  readonly isTrackingAsked: boolean;
}

/** Another service's option outside of the message. */
export interface RequestedOption {
  /** The equivalent header field, in lower case. */
  readonly name: string;
  /** The option's name in its source. */
  readonly field: string;
  readonly value: string;
}

/** Reads the options from the message's fields and from other sources, or returns what is wrong with them. */
export type ReadOptions = (
  fields: readonly HeaderField[],
  asked?: readonly RequestedOption[],
) => MessageOptions | WrongOptions;

interface WrongOptions extends Pick<MessageOptions, 'idempotencyKey'> {
  readonly wrong: string;
}

const OWN: Readonly<Record<string, ReadField>> = {
  'x-postrider-tag': (into, field, value) => {
    const { name, text } = namedValue(value);
    if (name === '') throw new WrongOption(`${field} must be name=value.`);
    into.addTag(field, name, text);
  },
  'x-postrider-metadata': (into, field, value) => into.addMetadata(field, readJson(field, value)),
  'x-postrider-track-opens': (into, field, value) =>
    into.set(field, 'track_opens', readBoolean(field, value)),
  'x-postrider-track-clicks': (into, field, value) =>
    into.set(field, 'track_clicks', readClickTracking(field, value)),
  'x-postrider-send-at': (into, field, value) => into.set(field, 'scheduled_at', value),
  'x-postrider-template': (into, field, value) => into.set(field, 'template_id', value),
  'x-postrider-locale': (into, field, value) => into.set(field, 'locale', value),
  'x-postrider-template-data': (into, field, value) =>
    into.set(field, 'template_data', readJson(field, value)),
  'x-postrider-unsubscribe': (into, field, value) =>
    into.set(field, 'unsubscribe', readBoolean(field, value)),
  'x-postrider-collapse-key': (into, field, value) => into.set(field, 'collapse_key', value),
  'x-postrider-unsubscribe-group': (into, field, value) => into.set(field, 'unsubscribe_group', value),
  'x-postrider-require-tls': (into, field, value) =>
    into.set(field, 'require_tls', readBoolean(field, value)),
  'x-postrider-priority': (into, field, value) => into.set(field, 'priority', value.toLowerCase()),
  'x-postrider-stream': (into, field, value) => into.set(field, 'stream', value),
  'x-postrider-expires-in': (into, field, value) =>
    into.set(field, 'expires_in', value === '' ? Number.NaN : Number(value)),
  'x-postrider-idempotency-key': (into, field, value) => into.set(field, 'idempotency_key', value),
  'postrider-idempotency-key': (into, field, value) => into.set(field, 'idempotency_key', value),
  'resend-idempotency-key': (into, field, value) => into.set(field, 'idempotency_key', value),
  // Present in a message that went through Postrider before; the next one gets its own.
  'x-postrider-ref': () => {},
  'x-postrider-hops': () => {},
};
/** Not options: Postrider writes these fields. */
const OURS = ['x-postrider-ref', 'x-postrider-hops'];
/** The names of all options, in lower case. */
export const OPTION_NAMES = Object.keys(OWN).filter((name) => name.startsWith('x-') && !OURS.includes(name));

export function createReadOptions(clock: Clock): ReadOptions {
  const validate = createValidatorCompiler()({
    schema: optionsSchema(clock),
    method: 'SMTP',
    url: 'options',
  });
  return (fields, asked = []) => {
    const collected = new Collected();
    try {
      for (const field of fields) readField(collected, field);
      for (const { name, field, value } of asked) readVendorField(collected, name, field, value);
    } catch (error) {
      if (error instanceof WrongOption) return { wrong: error.message, idempotencyKey: null };
      throw error;
    }
    const { values } = collected;
    const judged = validate(values);
    const idempotencyKey = typeof values.idempotency_key === 'string' ? values.idempotency_key : null;
    if ('error' in judged) return { wrong: wordsOf(judged.error, collected), idempotencyKey };
    if (values.template_data !== undefined && values.template_id === undefined)
      return { wrong: `${collected.fieldOf('template_data')} needs a template.`, idempotencyKey };
    return toOptions(judged.value as SubmissionOptions);
  };
}

function readField(into: Collected, field: HeaderField): void {
  const { name, text } = field;
  const read = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
  const written = text.slice(0, name.length);
  const value = () => decodeHeaderText(fieldValue(field));
  if (read !== undefined) read(into, written, value());
  else if (name.startsWith('x-postrider-')) throw unknownOption(written);
  else if (/^x-(?:pm-|smtpapi$|mailgun-|ses-)/.test(name))
    readVendorField(into, name, written, fieldValue(field));
}

function unknownOption(field: string): WrongOption {
  const near = nearestName(field.toLowerCase(), OPTION_NAMES);
  return new WrongOption(`${field} is not an option${near === undefined ? '' : `, did you mean ${near}?`}`);
}

/** Problems name fields of the API; this replaces them by the message's fields. */
function wordsOf(error: Error, collected: Collected): string {
  if (!(error instanceof ServiceError)) throw error;
  return error.problems
    .map(({ field, message }) => {
      const [, option = '', rest = ''] = /^([a-z_]+)(.*)$/.exec(field) ?? [];
      const place = rest.replace(/^\./, '');
      return `${collected.fieldOf(option)}${place === '' ? '' : ` (${place})`} ${message}.`;
    })
    .join(' ');
}

function isAsked(clicks: SubmissionOptions['track_clicks']): boolean {
  return clicks !== undefined && clicks !== false && clicks !== 'off';
}

function toOptions(options: SubmissionOptions): MessageOptions {
  const { template_id: id } = options;
  return {
    mailOptions: mailOptionsOf(options),
    template:
      id === undefined
        ? null
        : { id, data: options.template_data ?? {}, locale: canonicalLocale(options.locale ?? '') },
    idempotencyKey: options.idempotency_key ?? null,
    isTrackingAsked: options.track_opens === true || isAsked(options.track_clicks),
  };
}
