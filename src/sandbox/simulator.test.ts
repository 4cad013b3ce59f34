import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeRefusal } from '../delivery/policy/judge.ts';
import { behaviorFor, speedOf } from './simulator.ts';

function refusalOf(address: string): string {
  const behavior = behaviorFor(address);
  if (behavior.kind === 'accept') return 'accepted';
  return `${behavior.kind} ${behavior.reply.code} ${behavior.reply.enhanced}`;
}

/** The reason as the worker classifies the reply. */
function reasonOf(address: string): string | undefined {
  const behavior = behaviorFor(address);
  if (behavior.kind !== 'refuse') return undefined;
  const reply = { ...behavior.reply, text: `${behavior.reply.enhanced} ${behavior.reply.text}` };
  return judgeRefusal({ phase: 'rcpt', reply, host: null }).reason;
}

describe('the simulator', () => {
  it.each([
    ['bounced', 'refuse 550 5.1.1'],
    ['full', 'refuse 552 5.2.2'],
    ['blocked', 'refuse 554 5.7.1'],
    ['deferred', 'refuse 450 4.2.1'],
    ['greylisted', 'greylist 451 4.7.1'],
    ['busy', 'refuse 421 4.3.2'],
    ['delivered', 'accepted'],
    ['slow', 'accepted'],
    ['late-bounce', 'accepted'],
    ['complained', 'accepted'],
    ['autoreply', 'accepted'],
  ])('plays %s@simulator.test as %s', (name, expected) => {
    expect(refusalOf(`${name}@simulator.test`)).toBe(expected);
  });

  it('bounces mail for the documented reasons', () => {
    const page = readFileSync('docs/start/sandbox.md', 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)@` .*\| `bounced`, reason `(\w+)`/gm)];
    const named = Object.fromEntries(rows.map(([, name, reason]) => [name, reason]));
    expect(Object.keys(named)).toEqual(['bounced', 'full', 'blocked']);
    const reasons = Object.keys(named).map((name) => [name, reasonOf(`${name}@simulator.test`)]);
    expect(Object.fromEntries(reasons)).toEqual(named);
  });

  it("has all of its names offered in the dashboard's composer", () => {
    const page = readFileSync('dashboard/src/features/compose/simulator-help.tsx', 'utf8');
    const offered = [...page.matchAll(/\{ name: '([\w-]+)'/g)].map(([, name]) => name);
    const refused = behaviorFor('nobody@simulator.test');
    const known = refused.kind === 'refuse' ? /([a-z-]+(?:, [a-z-]+)+)$/.exec(refused.reply.text)?.[1] : '';
    expect(offered).toEqual(known?.split(', '));
  });

  it('ignores the label and the case of the address', () => {
    expect(refusalOf('Bounced+order.42+x@Simulator.TEST')).toBe('refuse 550 5.1.1');
  });

  it('answers slow mail after five seconds and delivered mail at once', () => {
    expect(behaviorFor('slow+1@simulator.test')).toEqual({ kind: 'accept', delayMs: 5_000 });
    expect(behaviorFor('delivered@simulator.test')).toEqual({ kind: 'accept', delayMs: 0 });
  });

  it('refuses an unknown name and lists the known ones', () => {
    const behavior = behaviorFor('bouncd@simulator.test');
    expect(refusalOf('bouncd@simulator.test')).toBe('refuse 550 5.1.1');
    expect(behavior.kind === 'refuse' && behavior.reply.text).toMatch(
      /delivered, bounced, full, blocked, deferred, greylisted, busy, slow, late-bounce, complained, autoreply, opened, clicked$/,
    );
  });

  it('does not accept names of built-in object properties', () => {
    expect(refusalOf('constructor@simulator.test')).toBe('refuse 550 5.1.1');
    expect(refusalOf('+bounced@simulator.test')).toBe('refuse 550 5.1.1');
  });

  it.each([
    'bounced@example.org',
    'bounced@sub.simulator.test',
    'bounced@simulator.test.example',
    'postmaster',
    '',
  ])('takes %s, which is not a simulator address', (address) => {
    expect(behaviorFor(address)).toEqual({ kind: 'accept', delayMs: 0 });
  });
});

it.each([
  ['deferred@simulator.test', 1],
  ['deferred+speed-3600@simulator.test', 3_600],
  ['Deferred+a+SPEED-20+b@Simulator.test', 20],
  ['deferred+speed-0@simulator.test', 1],
  ['deferred+speed-9999999@simulator.test', 1],
  ['deferred+speed-60@example.org', 1],
])('lets %s live %i times faster than others', (address, times) => {
  expect(speedOf(address)).toBe(times);
});
