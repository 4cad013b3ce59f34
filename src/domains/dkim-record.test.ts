import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeDkim, parseTags } from './dkim-record.ts';
import { dkimValue } from './dns-records.ts';

const newKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'der' });
const OURS = newKey();
const P = OURS.toString('base64');

const judge = (...texts: string[]) => judgeDkim(texts, OURS);

describe('a record with our key', () => {
  it.each([
    dkimValue(OURS),
    `p=${P}`,
    `p=${P};`,
    ` k = rsa ; p = ${P.slice(0, 50)} ${P.slice(50, 90)}\t${P.slice(90)} ; v = DKIM1 ; `,
    `v=DKIM1; h=sha1:sha256; k=rsa; s=email; t=y:s; n=our key; p=${P}`,
    `v=DKIM1; s=*; p=${P}`,
    `v=DKIM1;k=rsa;p=${P.replace(/=+$/, '')}`,
  ])('passes: %.60s', (text) => {
    expect(judge(text)).toEqual({ kind: 'pass' });
  });

  it('passes with its tags in any order and any spaces', () => {
    const spaces = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 3 });
    const tags = fc.shuffledSubarray(['v=DKIM1', 'k=rsa', 's=email', 'h=sha256', 't=s'], { minLength: 0 });
    fc.assert(
      fc.property(tags, spaces, fc.nat(4), fc.nat(P.length), (given, space, place, cut) => {
        const key = `p=${P.slice(0, cut)}${space}${P.slice(cut)}`;
        const all = given.toSpliced(place, 0, key);
        expect(
          judge(all.map((tag) => tag.replace('=', `${space}=${space}`)).join(`${space};${space}`)),
        ).toEqual({
          kind: 'pass',
        });
      }),
    );
  });
});

describe('a record that does not do', () => {
  it('is missing', () => {
    expect(judge()).toEqual({ kind: 'missing' });
  });

  it('is one of several, even if the right one is among them', () => {
    expect(judge(dkimValue(OURS), dkimValue(newKey()))).toEqual({ kind: 'several', count: 2 });
  });

  it('is revoked', () => {
    expect(judge('v=DKIM1; k=rsa; p=')).toEqual({ kind: 'revoked' });
  });

  it('is of another type', () => {
    expect(judge(`v=DKIM1; k=ed25519; p=${P}`)).toEqual({ kind: 'wrong_type', type: 'ed25519' });
  });

  it.each(['h=sha1', 's=tlsrpt'])('is restricted by %s', (tag) => {
    expect(judge(`v=DKIM1; ${tag}; p=${P}`)).toEqual({ kind: 'restricted', tag });
  });

  it('holds another key', () => {
    expect(judge(dkimValue(newKey()))).toEqual({ kind: 'other_key', cutShort: false });
  });

  it('holds the first part of ours', () => {
    expect(judge(dkimValue(OURS).slice(0, 255))).toEqual({ kind: 'other_key', cutShort: true });
  });

  it.each([
    [`"v=DKIM1; k=rsa; p=${P}"`, '"\\"v=DKIM1" is not of the form tag=value'],
    ['hello', '"hello" is not of the form tag=value'],
    [`v=DKIM1; p=${P}; p=${P}`, 'the tag p= is there twice'],
    [`v=DKIM1;; p=${P}`, '"" is not of the form tag=value'],
    ['v=DKIM1; k=rsa', 'the tag p= with the key is missing'],
    [`v=DKIM2; p=${P}`, 'v=DKIM2 should be v=DKIM1'],
    [`v=DKIM1; p=${P.slice(0, 40)}\\${P.slice(40)}`, 'the key in p= has characters that do not belong there'],
  ])('is malformed: %.30s', (text, problem) => {
    expect(judge(text)).toEqual({ kind: 'malformed', problem });
  });
});

describe('tags', () => {
  it('are returned as written, without surrounding spaces', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
    const value = fc.stringMatching(/^[!-:<-~]{0,20}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, value), { selector: ([one]) => one, minLength: 1 }),
        (given) => {
          const parsed = parseTags(given.map(([one, text]) => ` ${one} = ${text} `).join(';'));
          expect(parsed).toEqual({ ok: true, tags: new Map(given) });
        },
      ),
    );
  });

  it('never make the check throw', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => void judge(...texts)));
  });
});
