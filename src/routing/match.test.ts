import { expect, it } from 'vitest';
import { isForMail, type RoutedMailFacts, whyMatched } from './match.ts';
import type { Rule } from './table.ts';

const MAIL: RoutedMailFacts = {
  organizationId: 'org_a',
  domain: 'example.org',
  provider: 'google',
  stream: 'news',
  senderDomain: 'shop.example',
  tags: [{ name: 'kind', value: 'digest' }],
};
const ruleFor = (...tags: string[]): Rule => ({ name: null, match: { tags }, steps: [] }) as unknown as Rule;

it.each([
  ['kind', MAIL],
  ['kind:digest', MAIL],
  ['message-stream', MAIL],
  ['message-stream:news', MAIL],
  ['message-stream:transactional', { ...MAIL, stream: 'transactional' }],
])('a rule for the tag %s is for mail with that tag or in that stream', (tag, mail) => {
  expect(isForMail(ruleFor(tag), mail)).toBe(true);
  expect(whyMatched(ruleFor(tag), mail)).toBe(`tag ${tag}`);
});

it.each([
  ['kind:other', MAIL],
  ['message-stream:bulk', MAIL],
  ['message-stream:transactional', MAIL],
  ['message-stream', { ...MAIL, stream: 'transactional' }],
])('a rule for the tag %s is not for other mail', (tag, mail) => {
  expect(isForMail(ruleFor(tag), mail)).toBe(false);
});
