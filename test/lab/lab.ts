/** The lab from its first cable to its last table. */
import { join } from 'node:path';
import { startDnsZone } from '../support/dns-zone.ts';
import { deliverMessages, MESSAGE_COLUMNS, mailboxesOfCorpus } from './deliver-messages.ts';
import { startFilters } from './filters.ts';
import { LAB_ZONE } from './hosts.ts';
import { layNetwork } from './network.ts';
import { Postrider } from './postrider.ts';
import { startReceiver } from './receiver.ts';
import { mailboxesOfRefusals } from './refusals.ts';
import { isGood, type Row } from './report.ts';
import { REFUSAL_COLUMNS, sufferRefusals } from './suffer-refusals.ts';

const DNS_PORT = 53;
const NO_SCORES =
  'No scores, SPF and DMARC: rspamd is not installed (apt-get install --no-install-recommends rspamd).';

export interface LabOutput {
  say(text: string): void;
  show(columns: readonly string[], rows: readonly Row[]): void;
}

/** True when all is well. */
export async function runLab(folder: string, { say, show }: LabOutput): Promise<boolean> {
  const endings: (() => unknown)[] = [];
  try {
    const network = await layNetwork(folder);
    const dns = await startDnsZone(LAB_ZONE, DNS_PORT, '0.0.0.0');
    endings.push(() => dns.stop());
    say('Starting the filters…');
    const filters = await startFilters(folder, network);
    endings.push(() => filters.stop());
    const { milters, hasScores } = filters;
    const mailboxes = [...mailboxesOfCorpus(), ...mailboxesOfRefusals()];
    const receiver = await startReceiver(join(folder, 'postfix'), network, { milters, mailboxes });
    endings.push(() => receiver.stop());
    say('Starting Postrider…');
    const postrider = await Postrider.start(folder, dns);
    endings.push(() => postrider.stop());
    say('Sending the messages…');
    const messages = await deliverMessages(postrider, receiver, { dnsPort: DNS_PORT, hasScores });
    show(MESSAGE_COLUMNS, messages);
    if (!hasScores) say(NO_SCORES);
    say('Sending into the refusals…');
    const refusals = await sufferRefusals(postrider);
    show(REFUSAL_COLUMNS, refusals);
    return isGood(messages) && isGood(refusals);
  } finally {
    for (const end of endings.toReversed()) await end();
  }
}
