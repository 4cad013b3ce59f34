/**
 * The lists for the checks, read once at start. scripts/build-validation-data.mjs creates the files (see
 * validation-data/SOURCES.md), except those in validation-data/curated/, which are maintained by hand.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'tldts';
import { lettersOf } from '../runtime/edit-distance.ts';
import type { TrigramModel } from './trigrams.ts';

export const PROVIDER_TYPES = [
  'free',
  'isp',
  'relay',
  'education',
  'government',
  'corporate',
  'disposable',
  'unknown',
] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

export interface TypoLists {
  /** The intended domain by misspelling. */
  readonly known: ReadonlyMap<string, string>;
  /** Frequently misspelled domains, most popular first. */
  readonly targets: readonly TypoTarget[];
}

export interface TypoTarget {
  readonly domain: string;
  /** `yahoo` in `yahoo.co.uk`. */
  readonly brand: string;
  /** `co.uk`. */
  readonly suffix: string;
  readonly letters: number;
}

export interface RandomModel {
  readonly costs: TrigramModel;
  /** One percent of people's local parts score above this. */
  readonly warnAt: number;
  /** One in a thousand scores above this. */
  readonly strongAt: number;
}

export interface ValidationLists {
  /** Changes when any list changes. */
  readonly version: string;
  /** Domains in several lists, or in a carefully maintained one. */
  readonly disposable: DomainSet;
  /** Domains in only one or two lists. */
  readonly suspected: DomainSet;
  /** Real providers. A listed domain is never treated as disposable or as a typo. */
  readonly providers: ReadonlyMap<string, ProviderType>;
  /** Role names without dots, hyphens and underscores; true for mailboxes that nobody reads. */
  readonly roles: ReadonlyMap<string, boolean>;
  readonly typos: TypoLists;
  /** Non-ASCII characters that resemble ASCII ones. */
  readonly lookalikes: ReadonlyMap<string, string>;
  /** Domains that are often imitated, by skeleton. */
  readonly imitated: ReadonlyMap<string, string>;
  readonly random: RandomModel;
}

/** The relative path is the same from `src/validation` and `dist/validation`. */
const VALIDATION_DATA = fileURLToPath(new URL('../../validation-data/', import.meta.url));

export function loadLists(folder: string = VALIDATION_DATA): ValidationLists {
  const digest = createHash('sha256');
  const read = (name: string): string => {
    const text = readFileSync(`${folder}${name}`, 'latin1');
    digest.update(name).update(text);
    return text;
  };
  const targets = words(read('curated/typo-targets.txt'));
  const lists = {
    disposable: new DomainSet(read('disposable.txt')),
    suspected: new DomainSet(read('suspected.txt')),
    providers: new Map(pairs(read('providers.txt')) as [string, ProviderType][]),
    roles: new Map(pairs(read('roles.txt')).map(([name, read]) => [name, read === 'unread'])),
    typos: { known: new Map(pairs(read('curated/typos.txt'))), targets: targets.map(typoTarget) },
    lookalikes: new Map(pairs(Buffer.from(read('lookalikes.txt'), 'latin1').toString('utf8'))),
    random: randomModel(read('random-model.json')),
  };
  const worthImitating = [...targets, ...words(read('curated/lookalikes.txt'))];
  const imitated = new Map(worthImitating.map((domain) => [skeletonOf(domain, lists.lookalikes), domain]));
  return { ...lists, imitated, version: digest.digest('hex').slice(0, 12) };
}

/** The skeleton of a text: visually similar texts have the same one. Similar ASCII letters are unified as well. */
export function skeletonOf(text: string, lookalikes: ReadonlyMap<string, string>): string {
  let skeleton = '';
  for (const char of text) skeleton += lookalikes.get(char) ?? char;
  return skeleton.replace(/[il1]/g, 'l').replace(/0/g, 'o').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

function words(text: string): string[] {
  return lines(text).flatMap((line) => line.split(' '));
}

function pairs(text: string): [string, string][] {
  return lines(text).map((line) => {
    const [key = '', value = ''] = line.split(' ');
    return [key, value];
  });
}

export function typoTarget(domain: string): TypoTarget {
  const dot = domain.indexOf('.');
  return {
    domain,
    brand: domain.slice(0, dot),
    suffix: domain.slice(dot + 1),
    letters: lettersOf(domain),
  };
}

function randomModel(text: string): RandomModel {
  const { costs, warn_at, strong_at } = JSON.parse(text) as Record<'costs', string> &
    Record<'warn_at' | 'strong_at', number>;
  return { costs: Uint8Array.from(Buffer.from(costs, 'base64')), warnAt: warn_at, strongAt: strong_at };
}

/**
 * A memory-efficient set of domains: the text of its file and a table of offsets. 140,000 strings in a Set take 13
 * MB; this takes 2 MB for the text and 1 MB for the table, and is equally exact.
 */
export class DomainSet {
  readonly #text: string;
  /** Built at the first lookup, because that takes longer than reading the file, and many processes never validate. */
  #table: Table | undefined;

  /** One lower-case ASCII domain per line; every line must be terminated. */
  constructor(text: string) {
    this.#text = text;
  }

  get size(): number {
    this.#table ??= new Table(this.#text);
    return this.#table.size;
  }

  has(domain: string): boolean {
    this.#table ??= new Table(this.#text);
    return this.#table.has(domain);
  }
}

class Table {
  readonly size: number;
  readonly #text: string;
  /** An open-addressing table: 0 is empty, otherwise the offset of the domain plus one. */
  readonly #starts: Uint32Array;
  readonly #mask: number;

  constructor(text: string) {
    this.#text = text;
    this.size = countLines(text);
    const places = 2 ** Math.ceil(Math.log2(Math.max(2, this.size * 1.5)));
    this.#starts = new Uint32Array(places);
    this.#mask = places - 1;
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#add(start, end);
      start = end + 1;
    }
  }

  has(domain: string): boolean {
    let place = hash(domain, 0, domain.length) & this.#mask;
    for (;;) {
      const found = this.#starts[place] as number;
      if (found === 0) return false;
      const end = found - 1 + domain.length;
      if (this.#text.charCodeAt(end) === NEW_LINE && this.#text.startsWith(domain, found - 1)) return true;
      place = (place + 1) & this.#mask;
    }
  }

  #add(start: number, end: number): void {
    let place = hash(this.#text, start, end) & this.#mask;
    while (this.#starts[place] !== 0) place = (place + 1) & this.#mask;
    this.#starts[place] = start + 1;
  }
}

const NEW_LINE = 0x0a;

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** FNV-1a with a final mix, so that the low bits depend on all characters. */
function hash(text: string, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) >>> 0;
}

const OPTIONS = { allowPrivateDomains: true, validateHostname: false, extractHostname: false } as const;

export interface DomainPlace {
  readonly domain: string;
  /** The domain and its parents down to the registrable domain. Names above that belong to others. */
  readonly names: readonly string[];
  /** `mail.example` in `mail.example.co.uk`. */
  readonly name: string;
  /** `co.uk`. */
  readonly suffix: string;
  /** Whether the last label is a top-level domain that exists. */
  readonly tldExists: boolean;
}

/** Splits a host name at its registrable domain, by the public suffix list including its private section. */
export function placeOf(domain: string): DomainPlace {
  const { publicSuffix, isIcann, isPrivate, domain: registrable } = parse(domain, OPTIONS);
  const suffix = publicSuffix ?? domain.slice(domain.lastIndexOf('.') + 1);
  return {
    domain,
    names: downTo(registrable ?? domain, domain),
    name: domain.length > suffix.length ? domain.slice(0, -suffix.length - 1) : '',
    suffix,
    tldExists: isIcann === true || isPrivate === true,
  };
}

function downTo(registrable: string, domain: string): string[] {
  const names = [domain];
  for (let name = domain; name.length > registrable.length; ) {
    name = name.slice(name.indexOf('.') + 1);
    names.push(name);
  }
  return names;
}
