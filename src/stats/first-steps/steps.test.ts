import { describe, expect, it } from 'vitest';
import { stepsOf } from './steps.ts';

const NOTHING = { mode: 'sandbox', hasSent: false, hasKey: false, domains: [], hasWebhook: false } as const;
const doneOf = (facts: Partial<Parameters<typeof stepsOf>[0]>) =>
  stepsOf({ ...NOTHING, ...facts })
    .filter(({ done }) => done)
    .map(({ step }) => step);

describe('the first steps', () => {
  it('are all listed and not done in a new organization', () => {
    expect(stepsOf(NOTHING).map(({ step }) => step)).toEqual([
      'first_email',
      'api_key',
      'domain',
      'dmarc',
      'webhook',
      'live',
    ]);
    expect(doneOf({})).toEqual([]);
  });

  it('are done when their requirement is met', () => {
    expect(doneOf({ hasSent: true })).toEqual(['first_email']);
    expect(doneOf({ hasKey: true, hasWebhook: true })).toEqual(['api_key', 'webhook']);
    expect(doneOf({ mode: 'live' })).toEqual(['live']);
  });

  it('name the domain to verify, until one is verified', () => {
    const waiting = { id: 'dom_1', isVerified: false, hasDmarc: false };
    const right = { id: 'dom_2', isVerified: true, hasDmarc: false };
    expect(stepsOf({ ...NOTHING, domains: [waiting] })).toContainEqual({
      step: 'domain',
      done: false,
      id: 'dom_1',
    });
    const both = stepsOf({ ...NOTHING, domains: [waiting, right] });
    expect(both).toContainEqual({ step: 'domain', done: true, id: null });
    expect(both).toContainEqual({ step: 'dmarc', done: false, id: 'dom_1' });
  });
});
