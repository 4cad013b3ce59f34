/**
 * Collects the options in the fields of a message before they are validated, each value with its source
 * field.
 */

import { type Static, Type } from 'typebox';
import { mailLocale } from '../../emails/fields-schema.ts';
import { letterheadFields } from '../../emails/options-schema.ts';
import { ShapeScan } from '../../http/json-shape.ts';
import { anyObject, strictObject } from '../../http/schema.ts';
import { ESCAPED_UNSTORABLE, unstorableText } from '../../http/unstorable-text.ts';
import type { Clock } from '../../runtime/clock.ts';
import { Turns } from '../../runtime/turns.ts';
import { numberedName } from '../compat/numbered-name.ts';

/** An unvalidated value, for the schema to check. */
type Raw = { readonly [name in keyof SubmissionOptions]?: unknown };

/**
 * More tags and metadata names than an email may have. The schema refuses them, so further ones are dropped.
 */
const MAX_TAGS_KEPT = 100;
const MAX_METADATA_KEPT = 1_000;

/** An unreadable or duplicate option. The message names the field. */
export class WrongOption extends Error {}

export class Collected {
  readonly #values: Record<string, unknown> = {};
  /** Defaults for options that no field sets. */
  readonly #assumed: Record<string, unknown> = {};
  readonly #fieldOf = new Map<string, string>();
  readonly #tags: { readonly name: string; readonly value: unknown }[] = [];
  /** Number of tags per name, without their number suffix. */
  readonly #tagsNamed = new Map<string, number>();
  readonly #metadata = new Map<string, unknown>();

  get values(): Raw {
    return {
      ...this.#assumed,
      ...this.#values,
      ...(this.#fieldOf.has('tags') ? { tags: this.#tags } : {}),
      ...(this.#fieldOf.has('metadata') ? { metadata: Object.fromEntries(this.#metadata) } : {}),
    } as Raw;
  }

  fieldOf(option: string): string {
    return this.#fieldOf.get(option) ?? option;
  }

  set(field: string, option: keyof SubmissionOptions, value: unknown): void {
    const before = this.#fieldOf.get(option);
    if (before === field) throw new WrongOption(`${field} is given twice.`);
    if (before !== undefined)
      throw new WrongOption(`${field} and ${before} ask for the same: leave one out.`);
    this.#fieldOf.set(option, field);
    this.#values[option] = value;
  }

  /** Sets an option from a field that covers several. A field for this option alone takes precedence. */
  assume(option: keyof SubmissionOptions, value: unknown): void {
    this.#assumed[option] = value;
  }

  addTag(field: string, name: string, value: unknown): void {
    this.#fieldOf.set('tags', field);
    if (this.#tags.length >= MAX_TAGS_KEPT) return;
    this.#tags.push({ name, value });
    const base = name.replace(/-\d+$/, '');
    this.#tagsNamed.set(base, (this.#tagsNamed.get(base) ?? 0) + 1);
  }

  addNumberedTag(field: string, name: string, value: unknown): void {
    this.addTag(field, numberedName(name, this.#tagsNamed.get(name) ?? 0), value);
  }

  addMetadata(field: string, more: object): void {
    this.#fieldOf.set('metadata', field);
    for (const [name, value] of Object.entries(more)) {
      if (this.#metadata.size >= MAX_METADATA_KEPT) return;
      this.#metadata.set(name, value);
    }
  }
}

export function readBoolean(field: string, value: string): boolean {
  if (/^(?:true|yes|1|on|htmlonly)$/i.test(value)) return true;
  if (/^(?:false|no|0|off)$/i.test(value)) return false;
  throw new WrongOption(`${field} must be true or false.`);
}

/**
 * Parses `name = value` by hand, because a pattern with spaces on both sides of a value is quadratic. The
 * name is empty without `=`.
 */
export function namedValue(pair: string): { readonly name: string; readonly text: string } {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, Math.max(at, 0)).trim(), text: pair.slice(at + 1).trim() };
}

/** Accepts `true` and `false`, or our API's values. */
export function readClickTracking(field: string, value: string): boolean | string {
  const word = value.toLowerCase();
  if (word === 'html' || word === 'html_and_text') return word;
  try {
    return readBoolean(field, value);
  } catch {
    throw new WrongOption(`${field} must be true, false, html or html_and_text.`);
  }
}

/** Refuses harmful JSON; see http/json-body.ts. */
export function readJson(field: string, value: string): Record<string, unknown> {
  const scan = new ShapeScan(value);
  scan.advance();
  return parseScanned(field, value, scan);
}

/** The same for text that may have megabytes. */
export async function readJsonInTurns(field: string, value: string): Promise<Record<string, unknown>> {
  const turns = new Turns();
  const scan = new ShapeScan(value);
  while (!scan.advance(SCANNED_AT_ONCE)) if (turns.isOver) await turns.next();
  await turns.next();
  return parseScanned(field, value, scan);
}

const SCANNED_AT_ONCE = 64 * 1024;

function parseScanned(field: string, value: string, { problem }: ShapeScan): Record<string, unknown> {
  if (problem !== undefined) throw new WrongOption(`${field}: ${problem.replace('body', 'JSON')}.`);
  const parsed = parsedJson(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new WrongOption(`${field} must be a JSON object.`);
  if (ESCAPED_UNSTORABLE.test(value) && unstorableText(parsed) !== undefined)
    throw new WrongOption(`${field} must not contain NUL or unpaired surrogate characters.`);
  return parsed as Record<string, unknown>;
}

function parsedJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Converts Unix seconds to the API's time format. */
export function momentOfSeconds(field: string, seconds: unknown): string {
  const ms = Number(seconds) * 1_000;
  if (!Number.isInteger(seconds) || Math.abs(ms) > MAX_MS)
    throw new WrongOption(`${field} must be in Unix seconds.`);
  return new Date(ms).toISOString();
}

const MAX_MS = 8_640_000_000_000;

/** The sending options of a submitted message, with the API's rules. */
export function optionsSchema(clock: Clock) {
  // Fields that the message itself contains.
  const { from: _from, reply_to: _replyTo, headers: _headers, ...options } = letterheadFields(clock);
  return strictObject({
    ...options,
    template_id: Type.Optional(Type.String({ minLength: 1 })),
    template_data: Type.Optional(anyObject()),
    locale: Type.Optional(mailLocale),
    idempotency_key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x20-\\x7e]*$' }),
    ),
  });
}

export type SubmissionOptions = Static<ReturnType<typeof optionsSchema>>;

/** `field` is the name in its original spelling. */
export type ReadField = (into: Collected, field: string, value: string) => void;
