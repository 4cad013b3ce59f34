import { expect, it } from 'vitest';
import { EVENT_TYPES, type EventType } from '../../../events/append.ts';
import { eventNumber } from '../../../events/read.ts';
import { uuidv7 } from '../../../runtime/ids.ts';
import { FORMAT_EVENT_TYPES } from '../../endpoints/formats.ts';
import { testFacts } from '../test-facts.ts';
import type { MailFacts } from './mail-facts.ts';
import { postmarkBody } from './postmark.ts';
import { resendBody } from './resend.ts';
import { sendgridBody } from './sendgrid.ts';

const SAMPLE = testFacts({
  endpointId: 'whk_1',
  eventId: uuidv7(Date.UTC(2026, 10, 16)),
  organizationId: 'org_1',
  emailId: null,
  eventType: 'webhook.test',
  tries: 0,
  createdAt: new Date(Date.UTC(2026, 10, 16)),
  payload: null,
});

function facts(type: EventType, email: Partial<MailFacts['email']> = {}): MailFacts {
  return { ...SAMPLE, event: { ...SAMPLE.event, type }, email: { ...SAMPLE.email, ...email } };
}

it.each([
  ['resend', resendBody],
  ['sendgrid', sendgridBody],
  ['postmark', postmarkBody],
] as const)('%s has words for the events that are put in line for it, and for no other', (format, bodyOf) => {
  const reportedTypes = EVENT_TYPES.filter((type) => bodyOf(facts(type, { isScheduled: true })) !== null);
  expect(reportedTypes.toSorted()).toEqual(FORMAT_EVENT_TYPES[format].toSorted());
});

it('metadata never overrides the fields of a SendGrid event', () => {
  const metadata = { event: 'spamreport', email: 'eve@example.org', order: 7 };
  expect(sendgridBody(facts('delivered', { metadata }))).toMatchObject([
    { event: 'delivered', email: 'recipient@example.org', order: '7' },
  ]);
});

it('attempts after the first are not reported as new messages', () => {
  const again: MailFacts = { ...SAMPLE, event: { ...SAMPLE.event, type: 'processing', attempt: 2 } };
  expect([resendBody(again), sendgridBody(again)]).toEqual([null, null]);
});

it('event numbers are exact, and differ within a millisecond', () => {
  const nowMs = Date.UTC(2099, 0);
  const numbers = Array.from({ length: 1_000 }, () => eventNumber(uuidv7(nowMs)));
  expect(new Set(numbers).size).toBe(1_000);
  expect(numbers.every(Number.isSafeInteger)).toBe(true);
});
