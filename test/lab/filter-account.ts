/** What the receiver's filters wrote into a message, and what its log says became of it. */

import { RECEIVER_HOST, SENDER_DOMAIN } from './hosts.ts';
import type { Parsed } from './parser.ts';
import type { EmailEvent } from './postrider.ts';

/** OpenDKIM's word; `none` when it wrote nothing. */
export function openDkimVerdict({ headers }: Parsed): string {
  const result = headers['authentication-results']?.find((one) => one.startsWith(`${RECEIVER_HOST};`)) ?? '';
  const isOurs = result.includes(`header.d=${SENDER_DOMAIN}`);
  return (isOurs && /\bdkim=(\w+)/.exec(result)?.[1]) || 'none';
}

export interface Score {
  readonly score: number;
  /** Of SPF, DKIM and DMARC, those that rspamd did not find right. */
  readonly missing: readonly string[];
  /** What speaks against it, with how much. */
  readonly against: ReadonlyMap<string, number>;
}

/** From here on rspamd would greylist, by its own defaults. */
const SCORE_BOUND = 4;
const WANTED = { spf: 'R_SPF_ALLOW', dkim: 'R_DKIM_ALLOW', dmarc: 'DMARC_POLICY_ALLOW' };

/** Null when rspamd wrote nothing. */
export function rspamdScore({ headers }: Parsed): Score | null {
  const result = headers['x-spamd-result']?.[0] ?? '';
  const score = /\[(-?[\d.]+) \/ [\d.]+\]/.exec(result)?.[1];
  if (score === undefined) return null;
  const missing = Object.entries(WANTED).flatMap(([name, symbol]) =>
    result.includes(`${symbol}(`) ? [] : [name],
  );
  const weights = [...result.matchAll(/(\w+)\((-?[\d.]+)\)/g)].map(
    ([, symbol = '', weight]) => [symbol, Number(weight)] as const,
  );
  const against = new Map(weights.filter(([, weight]) => weight > 0));
  return { score: Number(score), missing, against };
}

/** `unjust` is what rspamd holds against every mail of its kind. */
export function harmOfScore({ score, missing, against }: Score, unjust: readonly string[]): string[] {
  const excused = unjust.reduce((sum, symbol) => sum + (against.get(symbol) ?? 0), 0);
  const words = [...against].map(([symbol, weight]) => `${symbol} ${weight}`).join(', ');
  return [
    ...missing.map((name) => `rspamd does not find ${name} right`),
    ...(score - excused >= SCORE_BOUND ? [`rspamd scores ${score}: ${words}`] : []),
  ];
}

/** Null when both name the same. */
export function harmOfQueueId(
  recipient: string,
  emailId: string,
  events: readonly EmailEvent[],
  log: string,
) {
  const delivered = events.find((event) => event.type === 'delivered' && event.recipient === recipient);
  const reported = /queued as (\w+)/.exec(delivered?.smtp_message ?? '')?.[1];
  const logged = queueIdOf(recipient, log);
  if (reported === undefined) return `no queue id in the events for ${recipient}`;
  if (reported !== logged) return `${recipient}: the events say ${reported}, Postfix's log ${logged}`;
  if (!log.includes(`${reported}: message-id=<${emailId}@`))
    return `${reported} is another message in Postfix's log`;
  if (delivered?.mx_host !== RECEIVER_HOST) return `the events name the host ${delivered?.mx_host}`;
  return delivered.tls === null ? 'the events tell of no TLS' : null;
}

export function queueIdOf(recipient: string, log: string): string | undefined {
  return log
    .split('\n')
    .find((line) => line.includes(`: to=<${recipient}>,`) && line.includes('status=sent'))
    ?.match(/postfix\/virtual\[\d+\]: (\w+):/)?.[1];
}
