/**
 * Networks known to block port 25, how to recognise each, and what to request from them. Providers change
 * this; their support decides.
 */

export interface Blocker {
  readonly name: string;
  /** Matches the firmware of its machines. */
  readonly maker?: RegExp;
  /** Matches the reverse names of its addresses. */
  readonly reverse?: RegExp;
  readonly ask: string;
}

const RELAY =
  'send through a relay on another port: POSTRIDER_RELAY_URL=smtp://user:password@relay.example.org:587';

export const BLOCKERS: readonly Blocker[] = [
  {
    name: 'Amazon EC2',
    maker: /amazon/i,
    reverse: /\.amazonaws\.com$/,
    ask: 'In AWS Support, send a "Request to remove email sending limitations" for the region and the Elastic IP; it asks for the reverse DNS as well.',
  },
  {
    name: 'Google Cloud',
    maker: /google/i,
    reverse: /\.bc\.googleusercontent\.com$/,
    ask: `Google Cloud never opens port 25 to the outside: ${RELAY}.`,
  },
  {
    name: 'Microsoft Azure',
    maker: /microsoft corporation/i,
    reverse: /\.cloudapp\.(azure\.com|net)$/,
    ask: `Azure opens port 25 for Enterprise Agreement and MCA-E subscriptions only (portal: "Diagnose and solve problems", "Cannot send email (SMTP-Port 25)"). For others: ${RELAY}.`,
  },
  {
    name: 'DigitalOcean',
    maker: /digitalocean/i,
    ask: 'DigitalOcean blocks ports 25, 465 and 587 on Droplets: send through a relay on port 2525, such as POSTRIDER_RELAY_URL=smtp://user:password@relay.example.org:2525.',
  },
  {
    name: 'Hetzner',
    maker: /hetzner/i,
    reverse: /\.your-server\.de$/,
    ask: 'In the Hetzner Console, request to unblock ports 25 and 465 under "Limits"; that is possible a month after the first paid invoice.',
  },
  {
    name: 'Vultr',
    maker: /vultr/i,
    reverse: /\.vultrusercontent\.com$/,
    ask: 'Open a ticket with Vultr that asks to remove the SMTP block, and say what kind of mail you send.',
  },
  {
    name: 'Akamai (Linode)',
    maker: /akamai|linode/i,
    reverse: /\.(linodeusercontent\.com|members\.linode\.com)$/,
    ask: 'Open a ticket with Akamai Cloud (Linode) that asks to remove the SMTP restrictions; the host name must have its A record and reverse DNS before.',
  },
  {
    name: 'Oracle Cloud',
    maker: /oracle/i,
    reverse: /\.oraclecloud\.com$/,
    ask: 'Open a service request with Oracle that asks for an exemption from the block of outbound port 25.',
  },
  {
    name: 'Scaleway',
    maker: /scaleway/i,
    reverse: /\.(scw\.cloud|scaleway\.com|poneytelecom\.eu)$/,
    ask: 'In the Scaleway console, turn on "Enable SMTP" in the security group of the instance, after verifying the account.',
  },
  {
    name: 'OVHcloud',
    maker: /ovh/i,
    reverse: /\.(ovh\.net|ovh\.ca|ovh\.us|vps\.ovh\.[a-z]+)$/,
    ask: 'OVHcloud blocks port 25 of an address after it saw spam from it: look under "IP", "AntiSpam" in the control panel, stop the cause, and unblock it there.',
  },
];

/** The most likely one: by the machine's manufacturer, or else by the reverse names of its addresses. */
export function likelyBlocker(maker: string | null, names: readonly string[]): Blocker | null {
  return (
    BLOCKERS.find((one) => maker !== null && one.maker?.test(maker)) ??
    BLOCKERS.find((one) => names.some((name) => one.reverse?.test(name))) ??
    null
  );
}

export const ASK_PROVIDER = `Ask whoever gives you network access to open outbound TCP port 25 (most hosting providers and nearly all home connections block it until they are asked, or for good), or ${RELAY}.`;
