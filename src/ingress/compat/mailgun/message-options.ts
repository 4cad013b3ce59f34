/**
 * The form fields with sending options. Most of them equal a header field of Mailgun over SMTP, and share its
 * parser.
 */
import { ApiError } from '../../../http/errors.ts';
import type { FormBody } from '../../../http/form-body.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import { Problems } from '../../../runtime/problems.ts';
import { Collected, readBoolean, readJsonInTurns, WrongOption } from '../../smtp-submission/collected.ts';
import type { RequestedOption } from '../../smtp-submission/options.ts';
import { readVendorField } from '../../smtp-submission/vendor-options.ts';

const SAME_AS = new Map([
  ['o:tag', 'x-mailgun-tag'],
  ['o:deliverytime', 'x-mailgun-deliver-by'],
  ['o:tracking', 'x-mailgun-track'],
  ['o:tracking-opens', 'x-mailgun-track-opens'],
  ['o:tracking-clicks', 'x-mailgun-track-clicks'],
  ['o:require-tls', 'x-mailgun-require-tls'],
  ['template', 'x-mailgun-template-name'],
  ['t:variables', 'x-mailgun-template-variables'],
]);
/** For all options together, because parsing blocks the event loop. A template accepts 256 KiB of values. */
const MAX_OPTION_BYTES = 512 * 1024;
const TOO_MUCH =
  'the fields o:, t:, v: and h:X-Mailgun- of the form must not be larger than 512 KiB together';
const VARIABLE = /^v:(.+)$/s;

export function mailgunOptions(form: FormBody): RequestedOption[] {
  if (form.text('t:version'))
    throw new Problems()
      .add('t:version', 'is not offered: the current version of a template is sent')
      .toError();
  const fields = form.names.filter((field) => optionOf(field) !== undefined);
  const sizes = fields.flatMap((field) => form.parts(field).map(({ content }) => content.length));
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_OPTION_BYTES)
    throw new Problems().add('body', TOO_MUCH).toError();
  return fields.flatMap((field) => {
    const name = optionOf(field) as string;
    const variable = VARIABLE.exec(field)?.[1];
    const given = form.texts(field).filter((text) => text !== '');
    return given.map((text) => ({
      field,
      name,
      value: variable === undefined ? text : JSON.stringify({ [variable]: text }),
    }));
  });
}

/** The equivalent header field; undefined if there is none. */
function optionOf(field: string): string | undefined {
  if (VARIABLE.test(field)) return 'x-mailgun-variables';
  return SAME_AS.get(field) ?? (/^h:x-mailgun-/i.test(field) ? field.slice(2).toLowerCase() : undefined);
}

/** The options in our API's JSON. */
export function optionsBody(options: readonly RequestedOption[]): JsonFields {
  const collected = new Collected();
  inWords(() => {
    for (const { name, field, value } of options) readVendorField(collected, name, field, value);
  });
  return collected.values;
}

export function isYes(form: FormBody, field: string): boolean {
  const text = form.text(field);
  return text ? inWords(() => readBoolean(field, text)) : false;
}

/** Undefined when the field is missing. */
export async function jsonOf(form: FormBody, field: string): Promise<JsonFields | undefined> {
  const text = form.text(field);
  return text ? readJsonInTurns(field, text).catch(throwInWords) : undefined;
}

function inWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return throwInWords(error);
  }
}

function throwInWords(error: unknown): never {
  if (!(error instanceof WrongOption)) throw error;
  throw new ApiError('VALIDATION_ERROR', [], error.message);
}
