/** Checks whether the domain accepts mail. An unanswered DNS query is unknown, never a failure. */
import { isIP } from 'node:net';
import type { MxRecord } from '../../protocols/dns/answer.ts';
import type { DomainFacts } from '../domain-facts.ts';
import { type Finding, finding } from './check.ts';

export interface MxFinding extends Finding {
  /** By priority, most preferred first. */
  readonly records: readonly MxRecord[];
}

type Asked = Extract<DomainFacts, { kind: 'asked' }>;

const MX_FOUND = finding('pass', 'mx_found', 'The domain has mail hosts.');

export function checkMx(facts: DomainFacts): MxFinding {
  const records = facts.kind === 'asked' && facts.mx.kind === 'found' ? facts.mx.records : [];
  const { status, reason, message, signals } = judge(facts);
  return { status, reason, message, signals, records };
}

function judge(facts: DomainFacts): Finding {
  switch (facts.kind) {
    case 'special_use':
      return finding(
        'fail',
        'special_use',
        'The domain is reserved and accepts no mail.',
        'special_use_domain',
      );
    case 'sandbox':
      return finding('pass', 'sandbox', 'The sandbox of this installation accepts mail for this domain.');
    case 'literal':
      return finding('unknown', 'address_literal', 'An IP address has no MX records.');
    case 'asked':
      return judgeAnswer(facts);
  }
}

function judgeAnswer(facts: Asked): Finding {
  switch (facts.mx.kind) {
    case 'unavailable':
      return unknown(facts.mx.code);
    case 'found':
      return judgeRecords(facts.mx.records, facts);
    case 'none':
    case 'nxdomain':
      return judgeWithoutMx(facts);
  }
}

function judgeRecords(records: readonly MxRecord[], { hosts }: Asked): Finding {
  const named = records.filter((record) => record.exchange !== '');
  if (named.length === 0) {
    return finding('fail', 'null_mx', 'The domain says that it accepts no mail (null MX).', 'null_mx');
  }
  if (named.every((record) => isIP(record.exchange) !== 0)) {
    const message = 'The MX records hold IP addresses instead of host names.';
    return finding('fail', 'bad_mx', message, 'unroutable_mx');
  }
  if (hosts === 'unroutable') {
    const message = 'No mail host of the domain has an address on the public Internet.';
    return finding('fail', 'bad_mx', message, 'unroutable_mx');
  }
  if (named.length < records.length) {
    return finding('warn', 'stray_null_mx', 'The domain has mail hosts and a null MX beside them.');
  }
  return MX_FOUND;
}

function judgeWithoutMx({ mx, addresses, hosts }: Asked): Finding {
  switch (addresses.kind) {
    case 'unavailable':
      // An answer without MX records is inconclusive alone; NXDOMAIN is conclusive.
      return mx.kind === 'nxdomain' ? notFound() : unknown(addresses.code);
    case 'nxdomain':
      return notFound();
    case 'none':
      if (mx.kind === 'nxdomain') return notFound();
      return finding('fail', 'no_mail_host', 'The domain has no MX records and no address.', 'no_mail_host');
    case 'found':
      if (hosts === 'unroutable') {
        const message = 'The domain has no MX records, and its address is not on the public Internet.';
        return finding('fail', 'bad_mx', message, 'unroutable_mx');
      }
      return finding(
        'warn',
        'implicit_mx',
        'The domain has no MX records; mail can only be tried at its own address.',
        'implicit_mx',
      );
  }
}

function notFound(): Finding {
  return finding('fail', 'domain_not_found', 'The domain does not exist.', 'domain_not_found');
}

function unknown(code: string): Finding {
  return finding('unknown', 'dns_unavailable', `DNS did not answer for the domain (${code}).`, 'dns_unknown');
}
