import { describe, expect, it } from 'vitest';
import { atOnce } from '../runtime/sliced-work.ts';
import { type CheckedMessage, makingFindings } from './check-content.ts';
import { findingLinks, hostsDiffer } from './links.ts';

const well: CheckedMessage = {
  size: 2_000,
  subject: 'Your receipt',
  html: '<p>Thank you.</p>',
  text: 'Thank you.',
  headers: [{ name: 'List-Unsubscribe', value: '<https://example.org/>' }],
  attachments: [],
  links: [],
};
const kinds = (changes: Partial<CheckedMessage>) =>
  atOnce(makingFindings({ ...well, ...changes })).map(({ kind }) => kind);
const link = (url: string, text: string | null = 'here') => ({ links: [{ url, text }] });

describe('findings', () => {
  it('are empty for an ordinary message', () => {
    expect(kinds({})).toEqual([]);
  });

  it.each<[string, Partial<CheckedMessage>]>([
    ['html_clipped', { html: `<p>${'x'.repeat(103 * 1024)}</p>` }],
    ['message_large', { size: 11 * 1024 * 1024 }],
    ['file_refused', { attachments: [{ filename: 'setup.EXE', size: 1 }] }],
    ['subject_empty', { subject: ' ' }],
    ['subject_long', { subject: 'x '.repeat(50) }],
    ['subject_shouts', { subject: 'BUY THIS NOW' }],
    ['subject_shouts', { subject: 'Buy this!!' }],
    ['placeholder_left', { text: 'Dear {{name}}' }],
    ['text_missing', { text: null }],
    ['mostly_images', { html: '<img alt="x">', text: 'x' }],
    ['images_without_alt', { html: '<img src="a"><img alt="" src="b">', text: 'x'.repeat(200) }],
    ['no_unsubscribe', { headers: [] }],
    ['link_elsewhere', link('https://evil.example/', 'www.bank.example')],
    ['link_to_number', link('https://192.0.2.1/')],
    ['link_shortened', link('https://bit.ly/x')],
    ['link_unencrypted', link('http://example.org/')],
  ])('name %s', (kind, changes) => {
    expect(kinds(changes)).toEqual([kind]);
  });

  it('do not treat a language without capitals as shouting', () => {
    expect(kinds({ subject: '領収書をお送りします' })).toEqual([]);
  });
});

describe('the text of a link', () => {
  it.each([
    ['https://www.example.org/login', 'example.org', false],
    ['example.org', 'links.example.org', false],
    ['Click here', 'example.org', false],
    ['version 1.2.3', 'example.org', false],
    ['bank.example', 'evil.example', true],
  ])('%s leads to %s: deceives %s', (text, host, is) => {
    expect(hostsDiffer(text, host)).toBe(is);
  });
});

describe('the links of a message', () => {
  it('are listed once each, with their visible text', () => {
    const html =
      '<a href="https://a.example/?x=1&amp;y=2"> Go <b>there</b></a><a href="mailto:x">m</a><a href="#top">t</a>';
    const text = 'See https://a.example/?x=1&y=2 and https://b.example/.';
    expect(atOnce(findingLinks({ html, text }))).toEqual([
      { url: 'https://a.example/?x=1&y=2', text: 'Go there' },
      { url: 'https://b.example/.', text: null },
    ]);
  });

  it('are limited to a hundred', () => {
    const html = Array.from({ length: 300 }, (_, n) => `<a href="https://a.example/${n}">x</a>`).join('');
    expect(atOnce(findingLinks({ html, text: null }))).toHaveLength(100);
  });
});
