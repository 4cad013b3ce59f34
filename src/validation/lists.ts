/**
 * The lists for the checks, read once at start. scripts/build-validation-data.mjs creates the files (see
 * validation-data/SOURCES.md), except those in validation-data/curated/, which are maintained by hand.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lettersOf } from '../runtime/edit-distance.ts';
import { DomainSet } from './domain-set.ts';
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
export const VALIDATION_DATA = fileURLToPath(new URL('../../validation-data/', import.meta.url));

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
