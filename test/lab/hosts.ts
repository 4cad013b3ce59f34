/** Who is who in the lab, and what its DNS says. All names are of those that are reserved for examples. */
import type { DnsZone } from '../support/dns-zone.ts';
import { RECEIVING_ADDRESS, SENDING_ADDRESS } from './network.ts';

export const SENDER_DOMAIN = 'example.com';
export const SENDER = `orders@${SENDER_DOMAIN}`;
export const SENDING_HOST = 'mail.example.org';
export const RECEIVER_DOMAIN = 'example.net';
export const RECEIVER_HOST = `mx.${RECEIVER_DOMAIN}`;
/** Its MX leads to the receiver, which does not know of it. */
export const UNSERVED_DOMAIN = 'unserved.example.org';
/** A block list that has our address. */
export const BLOCK_LIST = 'blocked.example.edu';

export const LAB_ZONE: DnsZone = {
  [SENDING_HOST]: {
    A: [SENDING_ADDRESS],
    MX: [[10, SENDING_HOST]],
    TXT: ['v=spf1 a mx -all'],
  },
  [reverse(SENDING_ADDRESS, 'in-addr.arpa')]: { PTR: [SENDING_HOST] },
  [RECEIVER_DOMAIN]: { MX: [[10, RECEIVER_HOST]] },
  [RECEIVER_HOST]: { A: [RECEIVING_ADDRESS] },
  [reverse(RECEIVING_ADDRESS, 'in-addr.arpa')]: { PTR: [RECEIVER_HOST] },
  [UNSERVED_DOMAIN]: { MX: [[10, RECEIVER_HOST]] },
  [SENDER_DOMAIN]: { MX: [[10, SENDING_HOST]], A: [SENDING_ADDRESS] },
  [reverse(SENDING_ADDRESS, BLOCK_LIST)]: { A: ['127.0.0.2'], TXT: ['Listed for the sake of the lab'] },
};

function reverse(address: string, under: string): string {
  return `${address.split('.').toReversed().join('.')}.${under}`;
}
