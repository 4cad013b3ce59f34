/** A separate process that answers DNS on loopback, so that the measurement does not include the cost of answers. */
import { once } from 'node:events';
import { type DnsZone, startDnsZone } from '../../test/support/dns-zone.ts';

const [zone] = (await once(process, 'message')) as [DnsZone];
const server = await startDnsZone(zone);
process.send?.(server.address);
process.once('disconnect', () => void server.stop());
