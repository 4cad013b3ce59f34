/**
 * The fields of a form that say how a message is to be sent. Most mean what a header field of Mailgun's means over SMTP, and are
 * read by the same code.
 */
import { ApiError } from '../../kit/http/errors.ts';
import type { FormBody } from '../../kit/http/form-body.ts';
import { Problems } from '../../kit/problems.ts';
import type { JsonFields } from '../compat/json-fields.ts';
import { Collected, readBoolean, readJson, WrongOption } from '../submission-smtp/collected.ts';
import type { AskedOption } from '../submission-smtp/options.ts';
import { readVendorField } from '../submission-smtp/vendor-options.ts';

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
/** Parsing more would keep everybody waiting. */
const MAX_JSON_CHARS = 2 * 1024 * 1024;

export function mailgunOptions(form: FormBody): AskedOption[] {
  if (form.text('t:version'))
    throw new Problems()
      .add('t:version', 'is not offered: the current version of a template is sent')
      .toError();
  return form.names.flatMap((field) => {
    const name =
      SAME_AS.get(field) ?? (/^h:x-mailgun-/i.test(field) ? field.slice(2).toLowerCase() : undefined);
    const variable = /^v:(.+)$/s.exec(field)?.[1];
    if (name === undefined && variable === undefined) return [];
    const given = form.texts(field).filter((text) => text !== '');
    return given.map((text) => ({
      field,
      name: name ?? 'x-mailgun-variables',
      value: variable === undefined ? checkedOption(field, text) : JSON.stringify({ [variable]: text }),
    }));
  });
}

/** In the JSON of our own API. */
export function optionsBody(options: readonly AskedOption[]): JsonFields {
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

/** Undefined where there is none. */
export function jsonOf(form: FormBody, field: string): JsonFields | undefined {
  const text = form.text(field);
  return text ? inWords(() => readJson(field, checkedJson(field, text))) : undefined;
}

function checkedOption(field: string, text: string): string {
  return field === 't:variables' || /^h:/i.test(field) ? checkedJson(field, text) : text;
}

function checkedJson(field: string, text: string): string {
  if (text.length > MAX_JSON_CHARS)
    throw new Problems().add(field, 'must not be larger than 2 MiB').toError();
  return text;
}

function inWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WrongOption)) throw error;
    throw new ApiError('VALIDATION_ERROR', [], error.message);
  }
}
