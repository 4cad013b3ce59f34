import { describe, expect, it } from 'vitest';
import { CONCURRENCY, EndpointPace, FIRST_CAPACITY } from './pace.ts';

/** Enters and records when its turn comes. */
function entering(pace: EndpointPace, begun: string[], endpoint: string, email: string | null, name: string) {
  void pace.enter(endpoint, email).then(() => begun.push(name));
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('the pace of an endpoint', () => {
  it('sends one event of an email at a time, in order, and others meanwhile', async () => {
    const pace = new EndpointPace(100);
    const begun: string[] = [];
    for (const name of ['a1', 'a2', 'b1', 'a3']) entering(pace, begun, 'one', name[0] ?? '', name);
    await turns();
    expect(begun).toEqual(['a1', 'b1']);
    pace.leave('one', 'a', 'good');
    await turns();
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    pace.leave('one', 'a', 'bad');
    await turns();
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('never sends more requests at once than the limit', async () => {
    const pace = new EndpointPace(10_000);
    const begun: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      void pace.enter('one', null);
      pace.leave('one', null, 'good');
    }
    for (let n = 0; n < 100; n += 1) entering(pace, begun, 'one', null, String(n));
    await turns();
    expect(begun.length).toBeLessThanOrEqual(CONCURRENCY);
  });

  it('has room for one when the endpoint does not answer, and for more after every success', () => {
    const pace = new EndpointPace(100);
    const roomOf = () => pace.capacities()[0]?.capacity;
    for (let n = 0; n < FIRST_CAPACITY; n += 1) void pace.enter('one', null);
    expect(roomOf()).toBe(0);
    for (let n = 0; n < FIRST_CAPACITY; n += 1) pace.leave('one', null, 'silent');
    expect(roomOf()).toBe(1);
    void pace.enter('one', null);
    void pace.enter('one', null);
    pace.leave('one', null, 'good');
    expect(roomOf()).toBe(1);
    expect(pace.capacities()).toHaveLength(1);
    pace.leave('one', null, 'good');
    expect(roomOf()).toBe(4);
  });

  it("remembers an endpoint's room during a lull", () => {
    const pace = new EndpointPace(100);
    for (let n = 0; n < 2; n += 1) void pace.enter('one', null);
    for (let n = 0; n < 2; n += 1) pace.leave('one', null, 'good');
    expect(pace.capacities()).toEqual([{ endpointId: 'one', capacity: FIRST_CAPACITY * 4 }]);
    void pace.enter('one', null);
    expect(pace.capacities()).toEqual([{ endpointId: 'one', capacity: FIRST_CAPACITY * 4 - 1 }]);
  });

  it('remembers a bounded number of endpoints, those that became idle last', () => {
    const pace = new EndpointPace(100);
    for (let n = 0; n < 2_500; n += 1) {
      void pace.enter(String(n), null);
      pace.leave(String(n), null, 'good');
    }
    expect(pace.capacities()).toHaveLength(2_000);
    expect(pace.capacities()[0]?.endpointId).toBe('500');
  });

  it('lets failing endpoints hold at most half of all slots together', () => {
    const pace = new EndpointPace(10);
    const ids = Array.from({ length: 5 }, (_, n) => `dead${n}`);
    for (const id of ids) {
      void pace.enter(id, null);
      pace.leave(id, null, 'silent');
    }
    expect(pace.capacities().map(({ capacity }) => capacity)).toEqual([1, 1, 1, 1, 1]);
    for (const id of ids) void pace.enter(id, null);
    void pace.enter('well', null);
    expect(pace.capacities()).toEqual([
      ...ids.map((endpointId) => ({ endpointId, capacity: 0 })),
      { endpointId: 'well', capacity: FIRST_CAPACITY - 1 },
    ]);
    pace.leave('dead0', null, 'good');
    expect(pace.capacities().find(({ endpointId }) => endpointId === 'dead0')?.capacity).toBe(2);
  });
});
