/** Who a received mail is from, as far as that can be proved: SPF, DKIM and DMARC. Asks DNS, for so long and no longer. */
import { findDmarc, isAligned } from '../../domains/dmarc.ts';
import type { Resolver } from '../../protocols/dns/resolver.ts';
import { checkHost, type SpfResult } from '../../protocols/dns/spf-check-host.ts';
import { halvesOf } from '../../protocols/message/address.ts';
import { type VerifiedSignature, verifyDkim } from '../../protocols/message/dkim-verify.ts';
import { canonicalDomain } from '../../protocols/message/domain-name.ts';
import { ambiguityOf } from '../../protocols/message/reading/ambiguity.ts';
import type { MailAuthentication } from '../../received/received-email.ts';
import { shownDomain } from './read-received.ts';

export interface AuthenticateDeps {
  readonly resolver: Pick<Resolver, 'txt' | 'a' | 'aaaa' | 'mx' | 'ptr'>;
  readonly nowMs: () => number;
  /** For all of a mail; only tests give another. */
  readonly timeMs?: number | undefined;
}

export interface ToAuthenticate {
  readonly raw: Buffer;
  readonly mailFrom: string;
  readonly helo: string;
  readonly remoteAddress: string;
}

/** Of one question, and of all that a mail asks: whoever sends it chooses whose DNS servers are asked, and those may be slow. */
const LOOKUP_MS = 5_000;
const ALL_LOOKUPS_MS = 10_000;

export async function authenticateMail(
  { resolver, nowMs, timeMs = ALL_LOOKUPS_MS }: AuthenticateDeps,
  mail: ToAuthenticate,
): Promise<MailAuthentication> {
  const untilMs = performance.now() + timeMs;
  const how = () => ({ deadlineMs: Math.max(0, Math.min(LOOKUP_MS, untilMs - performance.now())) });
  const lookups = {
    txt: (name: string) => resolver.txt(name, how()),
    a: (name: string) => resolver.a(name, how()),
    aaaa: (name: string) => resolver.aaaa(name, how()),
    mx: (name: string) => resolver.mx(name, how()),
    ptr: (address: string) => resolver.ptr(address, how()),
  };
  const ambiguity = await ambiguityOf(mail.raw);
  const [spf, signatures] = await Promise.all([
    checkSpf(lookups, mail),
    verifyDkim(mail.raw, lookups.txt, nowMs(), ambiguity),
  ]);
  const from = shownDomain(mail.raw);
  return {
    spf,
    dkim: { result: bestOf(signatures), signatures },
    dmarc: await checkDmarc(lookups.txt, { ...from, isClear: ambiguity === null }, spf, signatures),
  };
}

/** Of the sender in the envelope; where that is empty, of the name that the client gave itself. */
async function checkSpf(
  lookups: Parameters<typeof checkHost>[0],
  { mailFrom, helo, remoteAddress }: ToAuthenticate,
): Promise<MailAuthentication['spf']> {
  const named = canonicalDomain(mailFrom === '' ? helo : halvesOf(mailFrom).domain);
  if (!named.ok) return { result: 'none', domain: null };
  const domain: string = named.domain;
  const sender = mailFrom === '' ? `postmaster@${domain}` : mailFrom;
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  const { result } = await checkHost(lookups, { address, domain, sender, helo });
  return { result, domain };
}

function bestOf(signatures: readonly VerifiedSignature[]): MailAuthentication['dkim']['result'] {
  for (const result of ['pass', 'temperror', 'fail', 'permerror'] as const)
    if (signatures.some((one) => one.result === result)) return result;
  return 'none';
}

interface ShownSender {
  /** Of the sender that a reader is shown; null where there is none. */
  readonly domain: string | null;
  /** From names nobody else. */
  readonly isOnly: boolean;
  /** Every reader is shown the same. */
  readonly isClear: boolean;
}

/** Mail that readers may take for somebody else's never passes, whoever signed it or sent it. */
async function checkDmarc(
  lookUp: Resolver['txt'],
  { domain: from, isOnly, isClear }: ShownSender,
  spf: { readonly result: SpfResult; readonly domain: string | null },
  signatures: readonly VerifiedSignature[],
): Promise<MailAuthentication['dmarc']> {
  if (from === null) return { result: 'none', domain: null, policy: null };
  const record = await findDmarc(lookUp, from);
  if (record.kind === 'unavailable') return { result: 'temperror', domain: from, policy: null };
  if (record.kind !== 'found') return { result: 'none', domain: from, policy: null };
  const bySpf =
    spf.result === 'pass' && spf.domain !== null && isAligned(from, spf.domain, record.isSpfStrict);
  const byDkim = signatures.some(
    ({ result, domain }) => result === 'pass' && isAligned(from, domain, record.isDkimStrict),
  );
  const passes = isOnly && isClear && (bySpf || byDkim);
  return { result: passes ? 'pass' : 'fail', domain: from, policy: record.policy };
}
