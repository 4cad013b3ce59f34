/**
 * Checks whether the domain exists and has addresses. Has no weight of its own: the score counts only the `mx` check,
 * so that one fact does not count twice.
 */
import type { DomainFacts } from '../domain-facts.ts';
import { type Finding, finding } from './check.ts';

export interface DnsFinding extends Finding {
  readonly addresses: readonly string[];
}

const ADDRESSES_FOUND = finding('pass', 'addresses_found', 'The domain has addresses.');

export function checkDns(facts: DomainFacts): DnsFinding {
  const found = facts.kind === 'asked' && facts.addresses.kind === 'found' ? facts.addresses.records : [];
  const { status, reason, message, signals } = judge(facts);
  return { status, reason, message, signals, addresses: found };
}

function judge(facts: DomainFacts): Finding {
  switch (facts.kind) {
    case 'special_use':
      return finding('fail', 'special_use', 'The domain is reserved and not in DNS.');
    case 'sandbox':
      return finding('pass', 'sandbox', 'The domain belongs to the sandbox of this installation.');
    case 'literal':
      return finding('unknown', 'address_literal', 'An IP address is not looked up.');
    case 'asked':
      return judgeAnswer(facts);
  }
}

function judgeAnswer({ mx, addresses }: Extract<DomainFacts, { kind: 'asked' }>): Finding {
  if (addresses.kind === 'found') return ADDRESSES_FOUND;
  if (mx.kind === 'found') {
    return finding(
      'pass',
      'mail_only',
      'The domain has no address of its own, as is usual with mail domains.',
    );
  }
  if (mx.kind === 'nxdomain' || addresses.kind === 'nxdomain') {
    return finding('fail', 'domain_not_found', 'The domain does not exist.');
  }
  if (addresses.kind === 'unavailable' || mx.kind === 'unavailable') {
    const code = addresses.kind === 'unavailable' ? addresses.code : 'no answer';
    return finding('unknown', 'dns_unavailable', `DNS did not answer for the domain (${code}).`);
  }
  return finding('fail', 'no_records', 'The domain has neither mail hosts nor addresses.');
}
