/**
 * Ways past the policy of a key for agents, each tried through a real ingress, with a worker that delivers whatever is due and a
 * receiver that takes it. None leaves.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentFixture, startAgentFixture } from './agent-fixture.ts';
import { BYPASSES_BY_INGRESS } from './bypasses-by-ingress.ts';
import { WAYS_BY_RIGHTS } from './ways-by-rights.ts';
import { WAYS_PAST_APPROVAL } from './ways-past-approval.ts';
import { WAYS_TO_OTHERS } from './ways-to-others.ts';
import { WAYS_WITH_CONTENT } from './ways-with-content.ts';
import { WAYS_WITH_SENDERS } from './ways-with-senders.ts';

const BYPASS_ATTEMPTS = [
  ...WAYS_TO_OTHERS,
  ...BYPASSES_BY_INGRESS,
  ...WAYS_WITH_CONTENT,
  ...WAYS_WITH_SENDERS,
  ...WAYS_BY_RIGHTS,
  ...WAYS_PAST_APPROVAL,
];

let fixture: AgentFixture;

beforeAll(async () => {
  fixture = await startAgentFixture();
});
afterAll(() => fixture.stop());

it('are more than fifty, and each has a name of its own', () => {
  expect(new Set(BYPASS_ATTEMPTS.map(({ name }) => name)).size).toBe(BYPASS_ATTEMPTS.length);
  expect(BYPASS_ATTEMPTS.length).toBeGreaterThanOrEqual(50);
});

describe('no mail leaves', () => {
  it.each(BYPASS_ATTEMPTS)('$name', async ({ go, answer }) => {
    expect(await go(fixture)).toMatch(answer);
    expect(await fixture.onItsWay()).toBe(0);
    expect(await fixture.left()).toEqual([]);
  });
});
