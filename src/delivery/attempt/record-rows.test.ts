import { describe, expect, it } from 'vitest';
import { keyText } from '../../outbox/settle.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { EmailAddress } from '../../protocols/message/address.ts';
import type { DeliveryRecord, Finished } from './delivery-record.ts';
import { toEventRows, withOwnRows } from './record-rows.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');
const ADA = 'ada@example.org' as EmailAddress;

function deliveryTo(position: number, attempt = 1): ClaimedDelivery {
  const key = { organizationId: 'org_1', emailId: '019a8b00-0000-7001-8000-000000000001', position };
  const times = { firstAttemptAtMs: NOW, expiresAtMs: NOW + 1_000, dueAtMs: NOW, waitedMs: 0 };
  return { ...key, ...times, domain: 'example.org', priority: 1, attempt, size: 1 };
}

const started = (delivery: ClaimedDelivery): DeliveryRecord => ({
  ...{ kind: 'started', delivery, recipient: ADA, atMs: NOW },
});

function finished(delivery: ClaimedDelivery, kind: 'delivered' | 'deferred' = 'delivered'): Finished {
  const facts = {
    mxHost: 'mx',
    smtpCode: 250,
    smtpMessage: 'OK',
    enhancedCode: null,
    tls: null,
    reason: null,
  };
  const verdict =
    kind === 'deferred' ? { kind, ...facts, nextAttemptAtMs: NOW + 60_000 } : { kind, ...facts };
  return { kind: 'finished', delivery, recipient: ADA, atMs: NOW + 40, verdict };
}

function rowsOf(records: readonly DeliveryRecord[], ours: readonly ClaimedDelivery[]) {
  const keys = new Set(ours.map(keyText));
  return toEventRows(records, keys, keys);
}

describe('the events of a batch', () => {
  it('are one row for a start and the end of the same attempt', () => {
    const one = deliveryTo(0);
    const rows = rowsOf([started(one), finished(one)], [one]);
    expect(rows.started).toEqual([]);
    expect(rows.outcomes.map(({ startedAtMs }) => startedAtMs)).toEqual([NOW]);
  });

  it('are two rows for the end of one attempt and the start of the next, in this order', () => {
    const [first, next] = [deliveryTo(0), deliveryTo(0, 2)];
    const { started: starts, outcomes } = rowsOf([finished(first, 'deferred'), started(next)], [first]);
    expect(outcomes.map(({ startedAtMs }) => startedAtMs)).toEqual([null]);
    expect(starts.map(({ attempt }) => attempt)).toEqual([2]);
    expect((starts[0]?.id ?? '') > (outcomes[0]?.event.id ?? '')).toBe(true);
  });

  it('have each start once if an attempt ends twice', () => {
    const one = deliveryTo(0);
    const rows = rowsOf([started(one), finished(one), started(one), finished(one)], [one]);
    const starts = withOwnRows(rows).filter(({ type }) => type === 'processing');
    expect(starts).toHaveLength(2);
    expect(rows.outcomes.map(({ startedAtMs }) => startedAtMs)).toEqual([NOW, null]);
  });

  it('leave out the outcome that another worker has settled', () => {
    const one = deliveryTo(0);
    expect(toEventRows([started(one), finished(one)], new Set(), new Set())).toEqual({
      started: [],
      outcomes: [],
    });
  });

  it('have a row each, with the same ids, for processes of an earlier release', () => {
    const [one, slow] = [deliveryTo(0), deliveryTo(1)];
    const rows = rowsOf([started(one), started(slow), finished(one)], [one, slow]);
    const apart = withOwnRows(rows);
    const sorted = apart.toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1));
    expect(sorted.map(({ type, position }) => [type, position])).toEqual([
      ['processing', 1],
      ['processing', 0],
      ['delivered', 0],
    ]);
  });
});
