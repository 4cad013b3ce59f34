/** Ten address block lists that receivers use, and where to request removal from each. */

export interface Blocklist {
  readonly name: string;
  readonly zone: string;
  /** Whether the list has IPv6 addresses. */
  readonly hasIPv6: boolean;
  /** `bad` for lists that many receivers refuse mail by; the others mostly add to a spam score. */
  readonly weight: 'bad' | 'warn';
  readonly removal: string;
}

export const BLOCKLISTS: readonly Blocklist[] = [
  list('Spamhaus ZEN', 'zen.spamhaus.org', 'bad', 'https://check.spamhaus.org/', true),
  list('SpamCop', 'bl.spamcop.net', 'bad', 'https://www.spamcop.net/bl.shtml'),
  list('Barracuda', 'b.barracudacentral.org', 'bad', 'https://www.barracudacentral.org/rbl/removal-request'),
  list('PSBL', 'psbl.surriel.com', 'warn', 'https://psbl.org/remove'),
  list('Mailspike', 'bl.mailspike.net', 'warn', 'https://www.mailspike.org/iplookup.html'),
  list('UCEPROTECT 1', 'dnsbl-1.uceprotect.net', 'warn', 'https://www.uceprotect.net/en/rblcheck.php'),
  list('DroneBL', 'dnsbl.dronebl.org', 'warn', 'https://dronebl.org/lookup', true),
  list('blocklist.de', 'bl.blocklist.de', 'warn', 'https://www.blocklist.de/en/delist.html', true),
  list('NordSpam', 'bl.nordspam.com', 'warn', 'https://www.nordspam.com/delist/'),
  list('s5h', 'all.s5h.net', 'warn', 'https://www.usenix.org.uk/content/rbl.html', true),
];

function list(
  name: string,
  zone: string,
  weight: 'bad' | 'warn',
  removal: string,
  hasIPv6 = false,
): Blocklist {
  return { name, zone, hasIPv6, weight, removal };
}
