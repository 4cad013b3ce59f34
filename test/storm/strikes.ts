/** Whether the faults met mail: a storm that strikes an idle installation proves nothing. Pure. */
import type { FaultLog } from './fault-log.ts';
import { type Finding, finding } from './findings.ts';
import type { Scenario } from './scenario.ts';

/** Faults that matter because of what is in hand when they strike. */
const ON_MAIL = /^(kill|freeze|end)-/;
/** Of all strikes: some come while everything is down, which is wanted, too. */
const MEETING = 0.5;
const LEAST_IN_HAND = 1;

export function accountOfStrikes(
  { inHand, delivered, struck }: Pick<FaultLog, 'inHand' | 'delivered' | 'struck'>,
  deliveries: number,
  { leastInHand = LEAST_IN_HAND, leastDuringFaults = 0 }: Pick<Scenario, 'leastInHand' | 'leastDuringFaults'>,
): Finding[] {
  const counts = Object.entries(inHand).flatMap(([kind, all]) => (ON_MAIL.test(kind) ? all : []));
  const meeting = counts.filter((count) => count >= leastInHand).length;
  const isStruck = Object.keys(struck).some((kind) => ON_MAIL.test(kind));
  const tooFew = meeting < counts.length * MEETING;
  const tooLate = isStruck && delivered < deliveries * leastDuringFaults;
  return [
    finding(
      'too few strikes met mail in hand',
      tooFew ? [`${meeting} of ${counts.length} found ${leastInHand} or more deliveries in hand`] : [],
    ),
    finding(
      'too few deliveries while faults struck',
      tooLate ? [`${delivered} of ${deliveries} were made before the faults were over`] : [],
    ),
  ];
}
