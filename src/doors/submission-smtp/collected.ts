/** What the fields of a message ask for, gathered before it is judged; each value with the field that asked for it. */
import type { Metadata, Tag } from '../../emails/email.ts';
import { numberedName } from '../compat/numbered-name.ts';
import type { SubmissionOptions } from './options-schema.ts';

/** A value as it was written: whether it fits is for the schema to say. */
type Raw = { readonly [name in keyof SubmissionOptions]?: unknown };

/** What a field says cannot be read, or is asked for twice. The message names the field. */
export class WrongOption extends Error {}

export class Collected {
  readonly #values: Record<string, unknown> = {};
  /** What holds where no field says otherwise. */
  readonly #assumed: Record<string, unknown> = {};
  readonly #fieldOf = new Map<string, string>();

  get values(): Raw {
    return { ...this.#assumed, ...this.#values } as Raw;
  }

  /** The field that asked for an option. */
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

  /** A field that is about several options: one that is about this alone counts more. */
  assume(option: keyof SubmissionOptions, value: unknown): void {
    this.#assumed[option] = value;
  }

  addTag(field: string, name: string, value: unknown): void {
    const tags = (this.#values.tags ?? []) as Tag[];
    this.#fieldOf.set('tags', field);
    this.#values.tags = [...tags, { name, value }];
  }

  addNumberedTag(field: string, name: string, value: unknown): void {
    const tags = (this.#values.tags ?? []) as Tag[];
    const count = tags.filter((tag) => tag.name.replace(/-\d+$/, '') === name).length;
    this.addTag(field, numberedName(name, count), value);
  }

  addMetadata(field: string, more: object): void {
    this.#fieldOf.set('metadata', field);
    this.#values.metadata = { ...(this.#values.metadata as Metadata | undefined), ...more };
  }
}

export function readBoolean(field: string, value: string): boolean {
  if (/^(?:true|yes|1|on|htmlonly)$/i.test(value)) return true;
  if (/^(?:false|no|0|off)$/i.test(value)) return false;
  throw new WrongOption(`${field} must be true or false.`);
}

/** `true` and `false`, or what our API calls it. */
export function readClickTracking(field: string, value: string): boolean | string {
  const word = value.toLowerCase();
  if (word === 'html' || word === 'html_and_text') return word;
  try {
    return readBoolean(field, value);
  } catch {
    throw new WrongOption(`${field} must be true, false, html or html_and_text.`);
  }
}

export function readJson(field: string, value: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new WrongOption(`${field} must be a JSON object.`);
}

/** Unix seconds, as the API takes moments. */
export function momentOfSeconds(field: string, seconds: unknown): string {
  const ms = Number(seconds) * 1_000;
  if (!Number.isInteger(seconds) || Math.abs(ms) > MAX_MS)
    throw new WrongOption(`${field} must be in Unix seconds.`);
  return new Date(ms).toISOString();
}

const MAX_MS = 8_640_000_000_000;
