import { describe, expect, it } from 'vitest';
import type { NewEmail } from '../emails/email.ts';
import { AT_ONCE, fitsAtOnce, slicesToStore } from './slices.ts';

const emails = (count: number, dataChars: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    subject: 'x',
    html: null,
    text: null,
    attachments: [],
    batchAttachments: [],
    collapseKey: null,
    options: {},
    template: { id: 't', version: 1, dataJson: 'x'.repeat(dataChars), renderedChars: 10 },
  })) as unknown as NewEmail[];

describe('the slices that emails are stored in', () => {
  it('have fifty emails at most', () => {
    expect(slicesToStore(emails(120, 2)).map((slice) => slice.length)).toEqual([50, 50, 20]);
  });

  it('have fewer if each email has much template data', () => {
    const slices = slicesToStore(emails(100, 20_000));
    expect(slices.map((slice) => slice.length)).toEqual([13, 13, 13, 13, 13, 13, 13, 9]);
    expect(slices.flat().map(({ id }) => Number(id))).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it('hold a too large email alone', () => {
    expect(slicesToStore(emails(3, 1_000_000)).map((slice) => slice.length)).toEqual([1, 1, 1]);
  });

  it('are none if there is no email', () => {
    expect(slicesToStore([])).toEqual([]);
  });
});

describe('emails that are accepted at once', () => {
  it('are at most a hundred, of at most one mebibyte', () => {
    expect([AT_ONCE.emails, AT_ONCE.emails + 1].map((count) => fitsAtOnce(emails(count, 2)))).toEqual([
      true,
      false,
    ]);
    expect([9, 11].map((count) => fitsAtOnce(emails(count, 100_000)))).toEqual([true, false]);
  });

  it('are at least one, because one email cannot be split', () => {
    expect(fitsAtOnce(emails(1, 2 * AT_ONCE.bytes))).toBe(true);
  });
});
