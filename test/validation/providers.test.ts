/** Real domains are neither disposable nor misspelled, in any list or rule. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkDisposable } from '../../src/validation/checks/disposable.ts';
import { checkFreeProvider } from '../../src/validation/checks/free-provider.ts';
import { suggestDomain } from '../../src/validation/checks/typo.ts';
import { loadLists, placeOf } from '../../src/validation/lists.ts';

const lists = loadLists();
const NO_LISTS = { allow: new Set<string>(), deny: new Set<string>() };

function labelled(name: string): string[] {
  const text = readFileSync(new URL(`../../bench/labelled/${name}`, import.meta.url), 'utf8');
  return text.trim().split(/\s+/);
}

const providers = labelled('providers-tuned.txt');
const named = 'gmail.com outlook.com hey.com proton.me duck.com nus.edu.sg qq.com wp.pl web.de'.split(' ');

describe('real providers', () => {
  it('are more than 300, those named among them', () => {
    expect(new Set(providers).size).toBeGreaterThan(300);
    expect(providers).toEqual(expect.arrayContaining(named));
  });

  it('are never disposable', () => {
    const wrong = providers.filter((domain) => {
      const { status, reason } = checkDisposable(placeOf(domain), lists, NO_LISTS);
      return status === 'fail' || (status === 'warn' && reason !== 'relay');
    });
    expect(wrong).toEqual([]);
  });

  it('are never taken for a misspelling of another', () => {
    expect(providers.filter((domain) => suggestDomain(placeOf(domain), lists) !== null)).toEqual([]);
  });

  it.each([
    ['gmail.com', 'free'],
    ['comcast.net', 'isp'],
    ['duck.com', 'relay'],
    ['nus.edu.sg', 'education'],
    ['cs.stanford.edu', 'education'],
    ['nasa.gov', 'government'],
    ['siemens.com', 'corporate'],
  ])('know that %s is %s', (domain, type) => {
    expect(checkFreeProvider(placeOf(domain), lists, false)).toMatchObject({
      status: 'pass',
      provider_type: type,
    });
  });
});

describe('the lists of disposable domains', () => {
  it('never hold a public suffix, under which others have their names', () => {
    for (const suffix of [
      'pp.ua',
      'com.ar',
      'ddns.net',
      'web.id',
      'za.com',
      'eu.org',
      'github.io',
      'co.uk',
    ]) {
      expect([suffix, lists.disposable.has(suffix), lists.suspected.has(suffix)]).toEqual([
        suffix,
        false,
        false,
      ]);
      expect(checkDisposable(placeOf(`some-shop.${suffix}`), lists, NO_LISTS).status).toBe('pass');
    }
  });

  it('hold tens of thousands of domains', () => {
    expect(lists.disposable.size).toBeGreaterThan(15_000);
    expect(lists.suspected.size).toBeGreaterThan(100_000);
  });
});
