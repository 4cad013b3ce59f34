/**
 * The simulator: addresses at `simulator.test` that make the receiver behave like real servers, so that every
 * outcome can be tested on demand. A `+label` after the name is ignored, so a test can have any number of
 * different recipients.
 */
import { halvesOf } from '../protocols/message/address.ts';
import type { Reply } from '../protocols/smtp/server/replies.ts';
import type { SimulatedEventKind } from './simulated-events.ts';

export const SIMULATOR_DOMAIN = 'simulator.test';

export type SimulatedBehavior =
  /** Accepts the recipient; the reply to the final dot comes after `delayMs`, then `afterwards` runs. */
  | { readonly kind: 'accept'; readonly delayMs: number; readonly afterwards?: SimulatedEventKind }
  /** Refuses the recipient with `reply`. A 421 also ends the connection. */
  | { readonly kind: 'refuse'; readonly reply: Reply }
  /** Refuses the first attempt of this delivery with `reply`, and accepts later ones. */
  | { readonly kind: 'greylist'; readonly reply: Reply };

const SLOW_MS = 5_000;

const ACCEPT: SimulatedBehavior = { kind: 'accept', delayMs: 0 };

const BEHAVIORS = new Map<string, (address: string) => SimulatedBehavior>([
  ['delivered', () => ACCEPT],
  ['bounced', (to) => refuse(550, '5.1.1', `<${to}>: Recipient address rejected: User unknown`)],
  ['full', (to) => refuse(552, '5.2.2', `<${to}>: The mailbox is over its quota`)],
  ['blocked', () => refuse(554, '5.7.1', 'Message refused: the sender is blocked by local policy')],
  [
    'deferred',
    (to) => refuse(450, '4.2.1', `<${to}>: The mailbox is temporarily unavailable, try again later`),
  ],
  [
    'greylisted',
    (to) => ({
      kind: 'greylist',
      reply: { code: 451, enhanced: '4.7.1', text: `<${to}>: Greylisted, please try again later` },
    }),
  ],
  ['busy', () => refuse(421, '4.3.2', 'The service is too busy, closing the connection, try again later')],
  ['slow', () => ({ kind: 'accept', delayMs: SLOW_MS })],
  ['late-bounce', () => acceptAnd('late_bounce')],
  ['complained', () => acceptAnd('complaint')],
  ['autoreply', () => acceptAnd('auto_reply')],
  ['opened', () => acceptAnd('open')],
  ['clicked', () => acceptAnd('click')],
]);

/** The names that have a role, in the order of the documentation. */
export const SIMULATED_NAMES: readonly string[] = [...BEHAVIORS.keys()];

/** Whether the address is a simulator address. */
export function isSimulated(address: string): boolean {
  return halvesOf(address).domain.toLowerCase() === SIMULATOR_DOMAIN;
}

const SPEED_LABEL = /^speed-([1-9]\d{0,5})$/;

/**
 * `deferred+speed-3600@simulator.test` is retried 3,600 times faster than others, and expires as much sooner.
 */
export function speedOf(address: string): number {
  if (!isSimulated(address)) return 1;
  const [, ...labels] = halvesOf(address).local.toLowerCase().split('+');
  const said = labels.map((label) => SPEED_LABEL.exec(label)?.[1]).find((speed) => speed !== undefined);
  return Number(said ?? 1);
}

/** The simulator's answers for the delivery code; in live mode no address is simulated. */
export function simulationIn(mode: 'sandbox' | 'live') {
  return mode === 'sandbox'
    ? { isSimulated: (domain: string) => domain === SIMULATOR_DOMAIN, speedOf }
    : { isSimulated: () => false };
}

/** How the receiver treats this recipient. Addresses outside the simulator are accepted. */
export function behaviorFor(address: string): SimulatedBehavior {
  if (!isSimulated(address)) return ACCEPT;
  const name = (halvesOf(address).local.split('+', 1)[0] as string).toLowerCase();
  const behavior = BEHAVIORS.get(name);
  return behavior === undefined ? unknown(address) : behavior(address);
}

function acceptAnd(afterwards: SimulatedEventKind): SimulatedBehavior {
  return { kind: 'accept', delayMs: 0, afterwards };
}

function refuse(code: number, enhanced: string, text: string): SimulatedBehavior {
  return { kind: 'refuse', reply: { code, enhanced, text } };
}

function unknown(address: string): SimulatedBehavior {
  const known = SIMULATED_NAMES.join(', ');
  return refuse(550, '5.1.1', `<${address}>: No such simulator address; known are ${known}`);
}
