/** Starts the sink of the delivery benches and reads its rates. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { firstMessage, TIMEOUT_MS, waitUntilDone, within } from './wait.ts';

export interface Intake {
  readonly perSecond: number;
  /** The most connections at once. */
  readonly mostOpen: number;
}

export interface MailSink {
  readonly port: number;
  /** `127.0.0.1:PORT` of a DNS server for `d0.bench.test` … */
  readonly dnsAddress: string;
  domain(i: number): string;
  address(i: number): string;
  /**
   * Counts from now on. Resolves when `count` messages have arrived. The rate excludes the first `warmUp` messages, during which
   * connections are made and plans are chosen. Rejects when messages stop arriving, with `about` added to the error.
   */
  intake(count: number, warmUp: number, about?: () => Promise<string>): Promise<Intake>;
  /** When the final dot of the mail to `probe-N@…` arrived, by the clock of `process.hrtime`. */
  probed(number: number, about?: () => Promise<string>): Promise<bigint>;
  stop(): Promise<void>;
}

interface Report {
  readonly marks: readonly { readonly count: number; readonly atMs: number }[];
  readonly mostOpen: number;
}

export const DOMAINS = 10;

export interface SinkTraits {
  /** The delay before each reply. */
  readonly delayMs?: number;
  /** False makes a client send one command at a time. */
  readonly pipelining?: boolean;
}

export async function startMailSink({ delayMs = 0, pipelining = true }: SinkTraits = {}): Promise<MailSink> {
  const script = fileURLToPath(new URL('mail-sink-process.ts', import.meta.url));
  const child: ChildProcess = fork(script, {
    env: {
      ...process.env,
      DOMAINS: String(DOMAINS),
      DELAY_MS: String(delayMs),
      PIPELINING: pipelining ? 'yes' : 'no',
    },
  });
  const { port, dnsAddress } = await firstMessage<{ port: number; dnsAddress: string }>(
    'the mail sink',
    child,
  );
  let taken = 0;
  child.on('message', (message: { taken?: number }) => {
    taken = message.taken ?? taken;
  });
  return {
    port,
    dnsAddress,
    domain: (i) => `d${i % DOMAINS}.bench.test`,
    address: (i) => `127.0.1.${(i % DOMAINS) + 1}`,
    async intake(count, warmUp, about) {
      child.send({ first: Math.max(1, warmUp), last: count });
      let report: Report | undefined;
      const reported = next<Report>(child, (message) => 'marks' in message).then((it) => {
        report = it;
      });
      await waitUntilDone({
        what: `${count} mails to arrive at the sink`,
        isDone: () => report !== undefined,
        left: () => count - taken,
        ...(about === undefined ? {} : { about }),
      });
      await reported;
      const { marks, mostOpen } = report as unknown as Report;
      const [first, last] = [marks[0], marks[1]];
      if (first === undefined || last === undefined) throw new Error('The sink lost count.');
      return { perSecond: ((last.count - first.count) * 1000) / (last.atMs - first.atMs), mostOpen };
    },
    async probed(number, about) {
      const isIt = (message: object) => 'probe' in message && message.probe === number;
      const arrived = next<{ readonly atNs: string }>(child, isIt);
      const { atNs } = await within(`the mail to probe-${number} to arrive`, arrived, TIMEOUT_MS, about);
      return BigInt(atNs);
    },
    async stop() {
      child.disconnect();
      await within('the mail sink to end', once(child, 'exit'));
    },
  };
}

/** The next message of one kind, because the sink sends several kinds. */
function next<Message extends object>(
  child: ChildProcess,
  isIt: (message: object) => boolean,
): Promise<Message> {
  return new Promise((resolve) => {
    const look = (message: object) => {
      if (!isIt(message)) return;
      child.off('message', look);
      resolve(message as Message);
    };
    child.on('message', look);
  });
}
