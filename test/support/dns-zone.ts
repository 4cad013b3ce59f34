/**
 * A real DNS server on loopback, answering over UDP and TCP from a zone written down in the test.
 *
 * Owns the zone (which a test may change while the server runs) and the list of queries. A name that is not in the zone does
 * not exist (NXDOMAIN) unless the zone has a longer name below it. A name without the queried type gets NOERROR without
 * records. Replies that do not fit into a datagram are truncated, so that the client retries over TCP.
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import {
  type Answer,
  AUTHENTIC_DATA,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  type Packet,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';

/** `TIMEOUT` never answers; `NODATA` is NOERROR with an empty answer; the others are the reply's code. */
export type DnsFailure = 'SERVFAIL' | 'REFUSED' | 'NXDOMAIN' | 'FORMERR' | 'NOTIMP' | 'NODATA' | 'TIMEOUT';

export interface DnsRecords {
  readonly A?: readonly string[] | DnsFailure;
  readonly AAAA?: readonly string[] | DnsFailure;
  /** `[[0, '.']]` is the null MX. */
  readonly MX?: readonly (readonly [preference: number, exchange: string])[] | DnsFailure;
  /** One entry per record. A record given as a list has its strings separate on the wire. */
  readonly TXT?: readonly (string | readonly string[])[] | DnsFailure;
  readonly PTR?: readonly string[] | DnsFailure;
  readonly CNAME?: string;
  readonly TLSA?: readonly TlsaData[] | DnsFailure;
  /** Answers about the name, including negative answers, have the AD bit: DNSSEC has validated them. */
  readonly secure?: true;
  /** Seconds, for every record of the name; 300 unless given. */
  readonly ttl?: number;
}

export interface TlsaData {
  readonly usage: number;
  readonly selector: number;
  readonly matchingType: number;
  readonly certificate: Buffer;
}

export type DnsZone = Readonly<Record<string, DnsRecords | DnsFailure>>;

/** The time limit for a resolver: long enough for a busy machine, unless the zone has names that never answer. */
export function dnsTimeoutMs(zone: DnsZone): number {
  return Object.values(zone).includes('TIMEOUT') ? 3_000 : 20_000;
}

export interface DnsQuery {
  readonly name: string;
  readonly type: string;
  readonly transport: 'udp' | 'tcp';
}

export interface DnsZoneServer {
  /** `127.0.0.1:PORT`, as POSTRIDER_DNS_SERVERS takes it. */
  readonly address: string;
  readonly port: number;
  /** Every query so far, in order of arrival. */
  readonly queries: readonly DnsQuery[];
  /** How often a name was queried, with one type or any. */
  count(name: string, type?: string): number;
  /** Resolves when the name has been queried that often. */
  asked(name: string, times?: number): Promise<void>;
  forgetQueries(): void;
  /** Puts one name into the zone, or replaces it. */
  set(name: string, records: DnsRecords | DnsFailure): void;
  remove(name: string): void;
  replaceZone(zone: DnsZone): void;
  /** Makes every query fail this way, until `fail(null)`. */
  fail(failure: DnsFailure | null): void;
  /** Delays every answer until `release()`. */
  hold(): void;
  /** Sends the delayed answers in the order of the queries or in reverse. */
  release(order?: 'oldest first' | 'newest first'): void;
  stop(): Promise<void>;
}

/** Starts the server on a free port, or on the given port of a stopped server. `host` is the address to listen on. */
export async function startDnsZone(zone: DnsZone = {}, port = 0, host = '127.0.0.1'): Promise<DnsZoneServer> {
  let failure: DnsFailure | null = null;
  const names = new Map<string, DnsRecords | DnsFailure>();
  const queries: DnsQuery[] = [];
  const arrivals = new EventEmitter();
  let held: (() => void)[] | null = null;

  const serve: Serve = (request, transport, send) => {
    const question = request.questions?.[0];
    if (!question) return;
    queries.push({ name: canonical(question.name), type: question.type, transport });
    arrivals.emit('query');
    const response = respond(names, request, failure);
    if (!response) return;
    if (held) held.push(() => send(response));
    else send(response);
  };
  const sockets = await listen(serve, port, host);

  const server: DnsZoneServer = {
    address: `127.0.0.1:${sockets.port}`,
    port: sockets.port,
    queries,
    count: (name, type) => queries.filter((one) => matches(one, name, type)).length,
    async asked(name, times = 1) {
      while (server.count(name) < times) await once(arrivals, 'query');
    },
    forgetQueries: () => void queries.splice(0),
    set: (name, records) => void names.set(canonical(name), records),
    remove: (name) => void names.delete(canonical(name)),
    replaceZone(next) {
      names.clear();
      for (const [name, records] of Object.entries(next)) server.set(name, records);
    },
    fail: (how) => {
      failure = how;
    },
    hold: () => {
      held ??= [];
    },
    release: (order = 'oldest first') => {
      const waiting = order === 'oldest first' ? (held ?? []) : (held ?? []).toReversed();
      held = null;
      for (const send of waiting) send();
    },
    stop: () => sockets.close(),
  };
  server.replaceZone(zone);
  return server;
}

function matches(query: DnsQuery, name: string, type: string | undefined): boolean {
  return query.name === canonical(name) && (type === undefined || query.type === type);
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

type Names = ReadonlyMap<string, DnsRecords | DnsFailure>;

const RCODES: Record<Exclude<DnsFailure, 'TIMEOUT'>, number> = {
  NODATA: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
};

/** Null if the zone leaves the query unanswered. */
function respond(names: Names, request: DecodedPacket, always: DnsFailure | null): Packet | null {
  const question = request.questions?.[0];
  const { answers, failure, isSecure } =
    always === null
      ? lookUp(names, canonical(question?.name ?? ''), question?.type ?? '')
      : { answers: [], failure: always, isSecure: false };
  if (failure === 'TIMEOUT') return null;
  const wantsToKnow =
    request.flag_ad || request.additionals?.some((one) => one.type === 'OPT' && one.flag_do);
  const vouched = isSecure && wantsToKnow ? AUTHENTIC_DATA : 0;
  return {
    type: 'response',
    id: request.id ?? 0,
    flags:
      AUTHORITATIVE_ANSWER | RECURSION_DESIRED | RECURSION_AVAILABLE | vouched | RCODES[failure ?? 'NODATA'],
    questions: request.questions ?? [],
    answers,
  };
}

interface Found {
  readonly answers: Answer[];
  readonly failure: DnsFailure | null;
  /** All names on the CNAME chain are in signed zones. */
  readonly isSecure: boolean;
}

const MAX_CNAME_HOPS = 8;

function lookUp(names: Names, asked: string, type: string): Found {
  const answers: Answer[] = [];
  let name = asked;
  let isSecure = true;
  for (let hop = 0; hop < MAX_CNAME_HOPS; hop += 1) {
    const records = names.get(name);
    if (records === undefined) {
      const failure = isParent(names, name) ? null : 'NXDOMAIN';
      return { answers, failure, isSecure: isSecure && isBelowSecure(names, name) };
    }
    if (typeof records === 'string') return { answers, failure: records, isSecure: false };
    isSecure &&= records.secure === true;
    if (records.CNAME === undefined || type === 'CNAME')
      return { ...recordsOf(records, name, type, answers), isSecure };
    answers.push({ type: 'CNAME', name, ttl: records.ttl ?? DEFAULT_TTL, data: records.CNAME });
    name = canonical(records.CNAME);
  }
  return { answers, failure: 'SERVFAIL', isSecure: false };
}

/** Whether a missing name is below a signed name, whose zone denies it. */
function isBelowSecure(names: Names, name: string): boolean {
  const above = name.split('.').map((_, i, labels) => names.get(labels.slice(i).join('.')));
  const nearest = above.find((one) => one !== undefined);
  return typeof nearest === 'object' && nearest.secure === true;
}

function isParent(names: Names, name: string): boolean {
  return [...names.keys()].some((one) => one.endsWith(`.${name}`));
}

const DEFAULT_TTL = 300;

function recordsOf(
  records: DnsRecords,
  name: string,
  type: string,
  before: Answer[],
): Omit<Found, 'isSecure'> {
  const ttl = records.ttl ?? DEFAULT_TTL;
  const made = ((): Answer[] | DnsFailure => {
    switch (type) {
      case 'A':
      case 'AAAA':
      case 'PTR': {
        const list = records[type] ?? [];
        return typeof list === 'string' ? list : list.map((data) => ({ type, name, ttl, data }));
      }
      case 'MX': {
        const list = records.MX ?? [];
        if (typeof list === 'string') return list;
        return list.map(([preference, exchange]) => ({ type, name, ttl, data: { preference, exchange } }));
      }
      case 'TXT': {
        const list = records.TXT ?? [];
        return typeof list === 'string' ? list : list.map((one) => ({ type, name, ttl, data: strings(one) }));
      }
      case 'TLSA': {
        const list = records.TLSA ?? [];
        return typeof list === 'string' ? list : list.map((data) => ({ type, name, ttl, data }));
      }
      case 'CNAME':
        return records.CNAME === undefined ? [] : [{ type, name, ttl, data: records.CNAME }];
      default:
        return [];
    }
  })();
  return typeof made === 'string'
    ? { answers: before, failure: made }
    : { answers: [...before, ...made], failure: null };
}

/** Splits a text into TXT strings of at most 255 bytes, as DNS panels do. */
function strings(text: string | readonly string[]): string[] {
  return typeof text === 'string' ? (text.match(/[\s\S]{1,255}/g) ?? ['']) : [...text];
}

type Serve = (request: DecodedPacket, transport: 'udp' | 'tcp', send: (response: Packet) => void) => void;

interface Sockets {
  readonly port: number;
  close(): Promise<void>;
}

const PORT_ATTEMPTS = 20;

/** UDP and TCP need the same port, so a UDP port is released if its TCP port is taken. */
async function listen(serve: Serve, port: number, host: string): Promise<Sockets> {
  for (let attempt = 1; ; attempt += 1) {
    const udp = createSocket('udp4');
    udp.bind(port, host);
    await once(udp, 'listening');
    const tcp = createServer();
    const clients = new Set<Socket>();
    tcp.listen(udp.address().port, host);
    try {
      await once(tcp, 'listening');
    } catch (error) {
      udp.close();
      if (attempt === PORT_ATTEMPTS) throw error;
      continue;
    }
    serveUdp(udp, serve);
    serveTcp(tcp, clients, serve);
    return { port: udp.address().port, close: () => closeAll(udp, tcp, clients) };
  }
}

const PLAIN_UDP_LIMIT = 512;

function serveUdp(udp: UdpSocket, serve: Serve): void {
  let open = true;
  udp.once('close', () => {
    open = false;
  });
  udp.on('message', (message, from) => {
    const request = decode(message);
    const edns = request.additionals?.find((one) => one.type === 'OPT');
    const limit = Math.max(PLAIN_UDP_LIMIT, edns?.udpPayloadSize ?? 0);
    serve(request, 'udp', (response) => {
      if (!open) return;
      const whole = encode(response);
      const fits = whole.length <= limit;
      udp.send(fits ? whole : encode(truncated(response)), from.port, from.address);
    });
  });
}

function truncated(response: Packet): Packet {
  return { ...response, answers: [], flags: (response.flags ?? 0) | TRUNCATED_RESPONSE };
}

function serveTcp(tcp: Server, clients: Set<Socket>, serve: Serve): void {
  tcp.on('connection', (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
    client.on('error', () => client.destroy());
    let buffer = Buffer.alloc(0);
    client.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      while (buffer.length >= 2 && buffer.length >= 2 + buffer.readUInt16BE(0)) {
        const end = 2 + buffer.readUInt16BE(0);
        const request = decode(buffer.subarray(2, end));
        buffer = buffer.subarray(end);
        serve(request, 'tcp', (response) => client.write(withLength(encode(response))));
      }
    });
  });
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

async function closeAll(udp: UdpSocket, tcp: Server, clients: ReadonlySet<Socket>): Promise<void> {
  for (const client of clients) client.destroy();
  const closed = [once(udp, 'close'), once(tcp, 'close')];
  udp.close();
  tcp.close();
  await Promise.all(closed);
}
