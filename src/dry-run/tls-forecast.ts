/** The TLS situation of a mail at its destination, from known facts. Pure. */
import { demanding } from '../delivery/attempt/require-tls.ts';
import type { RouteProblem } from '../delivery/facts.ts';
import type { MessageTls, SmtpFacts, SmtpTarget } from '../protocols/smtp/facts.ts';
import { parseRelay } from '../protocols/smtp/relay-url.ts';
import type { ForecastDestination } from './recipient-facts.ts';

export interface TlsForecast {
  readonly tls: { readonly mode: string; readonly policy: string } | null;
  /** What prevents the mail from being sent. */
  readonly problem: RouteProblem | SmtpFacts | null;
  /** A possible problem, as a sentence. */
  readonly doubt: string | null;
}

/**
 * `relayUrl`: the relay that the route table chose. Its own TLS settings apply, regardless of the recipient.
 */
export function tlsForecast(
  messageTls: MessageTls | null,
  destination: ForecastDestination | null,
  relayUrl: string | null,
): TlsForecast {
  const problem = problemOf(messageTls, destination);
  const hops = relayUrl === null ? hopsOf(destination, problem) : [relayHop(relayUrl)];
  const [first] = hops;
  const none = { tls: null, problem, doubt: null };
  if (first === undefined) return none;
  if (messageTls !== 'required' || first.isSandbox === true) return { ...none, tls: tlsOf(first) };
  const demanded = hops.map(demanding);
  const usable = demanded.find((one) => !('kind' in one));
  if (usable === undefined || 'kind' in usable) return { ...none, problem: problem ?? factsOf(demanded) };
  return { problem, tls: tlsOf(usable), doubt: DOUBT };
}

const DOUBT =
  'Whether the server offers REQUIRETLS is known only when it is talked to: otherwise it bounces.';

/** A domain's TLS demand does not stop mail that may be sent without TLS. */
function problemOf(
  messageTls: MessageTls | null,
  destination: ForecastDestination | null,
): RouteProblem | null {
  const problem = destination?.problem ?? null;
  return messageTls === 'optional' && problem?.despite !== undefined ? null : problem;
}

function hopsOf(
  destination: ForecastDestination | null,
  problem: RouteProblem | null,
): readonly SmtpTarget[] {
  if (destination === null || problem !== null) return [];
  return destination.problem?.despite?.hops ?? destination.hops;
}

function relayHop(url: string): SmtpTarget {
  return { ...parseRelay(url), nameProof: 'ours', address: '', ehloName: '' };
}

function factsOf(demanded: readonly (SmtpTarget | SmtpFacts)[]): SmtpFacts | null {
  return demanded.find((one): one is SmtpFacts => 'kind' in one) ?? null;
}

function tlsOf({ tls: mode, tlsPolicy = 'opportunistic' }: SmtpTarget): TlsForecast['tls'] {
  return { mode, policy: tlsPolicy };
}
