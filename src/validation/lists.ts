/**
 * Everything the checks know about the world besides DNS, read once at start. The files are made by
 * scripts/build-validation-data.mjs (see validation-data/SOURCES.md) or kept by hand (validation-data/curated/).
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
  /** Misspelling to what was meant. */
  readonly known: ReadonlyMap<string, string>;
  /** What people misspell, the most popular first. */
  readonly targets: readonly TypoTarget[];
}

export interface TypoTarget {
  readonly domain: string;
  /** `yahoo` of `yahoo.co.uk`. */
  readonly brand: string;
  /** `co.uk`. */
  readonly suffix: string;
  readonly letters: number;
}

export interface RandomModel {
  readonly costs: TrigramModel;
  /** From here on one in a hundred people's local parts looks as random. */
  readonly warnAt: number;
  /** One in a thousand. */
  readonly strongAt: number;
}

export interface ValidationLists {
  /** Changes when any of the lists does. */
  readonly version: string;
  /** Several lists agree, or a carefully kept one says so. */
  readonly disposable: DomainSet;
  /** One or two lists say so. */
  readonly suspected: DomainSet;
  /** Real providers; a domain that is here is never disposable and never a typo. */
  readonly providers: ReadonlyMap<string, ProviderType>;
  /** Role names without dots, hyphens and underscores; true when nobody reads them. */
  readonly roles: ReadonlyMap<string, boolean>;
  readonly typos: TypoLists;
  /** Characters that look like ASCII ones. */
  readonly lookalikes: ReadonlyMap<string, string>;
  /** Domains worth imitating, by what they look like. */
  readonly imitated: ReadonlyMap<string, string>;
  readonly random: RandomModel;
}

/** The same distance from `src/validation` and from `dist/validation`. */
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

/** What a text looks like at a glance; look-alike ASCII letters are made equal as well. */
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
