import { describe, expect, it } from 'vitest';
import { eventIn, eventsOf, newestEventsOf, outcomeId, outcomeIdOf, startIdOf } from './started.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');

function rowOf(started_at: Date | null) {
  const facts = { mx_host: 'mx.example', smtp_code: 250, reason: null, recipient: 'ada@example.org' };
  return {
    id: outcomeId(NOW),
    type: 'delivered',
    attempt: 1,
    created_at: new Date(NOW),
    started_at,
    ...facts,
  };
}

describe('a row of an outcome', () => {
  it('has an id directly after the one of its start', () => {
    for (let n = 0; n < 1_000; n += 1) {
      const id = outcomeId(NOW);
      const start = startIdOf(id);
      expect(BigInt(`0x${id.replaceAll('-', '')}`) - BigInt(`0x${start.replaceAll('-', '')}`)).toBe(1n);
      expect(outcomeIdOf(start)).toBe(id);
    }
  });

  it('is two events where it stands for its start, too', () => {
    const row = rowOf(new Date(NOW - 40));
    const [start, outcome] = eventsOf([row]);
    expect(start).toMatchObject({
      ...{ id: startIdOf(row.id), type: 'processing', attempt: 1, created_at: new Date(NOW - 40) },
      ...{ recipient: 'ada@example.org', mx_host: null, smtp_code: null },
    });
    const { started_at: _, ...event } = row;
    expect(outcome).toEqual(event);
    expect(newestEventsOf([row])).toEqual([outcome, start]);
    expect(eventIn(row, startIdOf(row.id))).toEqual(start);
    expect(eventIn(row, row.id)).toEqual(outcome);
  });

  it('is one event where its start has a row of its own', () => {
    const row = rowOf(null);
    expect(eventsOf([row]).map(({ id }) => id)).toEqual([row.id]);
  });
});
