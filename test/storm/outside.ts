/** Starts the outside world (`outside-process.ts`) and talks to it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { MannerName } from './manners.ts';
import type { OutsideLine } from './outside-log.ts';

export interface SinkFaults {
  readonly beforeDot: number;
  readonly afterDot: number;
  readonly halfReply: number;
}

export interface OutsideOptions {
  readonly file: string;
  readonly seed: number;
  /** How likely each is for one message. */
  readonly faults: SinkFaults;
  readonly thinkMs: { readonly data: number; readonly dot: number };
  /** How likely the webhook receiver answers 500. */
  readonly hookFailures: number;
  /** So many domains beyond the usual ones (`strangerDomain`). */
  readonly strangers?: number;
  /** Servers that do not do as they should, each for the domain of its own name, until it is calm. */
  readonly rude?: readonly MannerName[];
}

/** How DNS is: well, without a word, only failing, or not there at all. */
export type DnsState = 'well' | 'silent' | 'failing' | 'gone';

export type ToOutside =
  | { readonly kind: 'publish'; readonly name: string; readonly value: string }
  | { readonly kind: 'dns'; readonly state: DnsState }
  | { readonly kind: 'calm' | 'count' | 'end' };

export type FromOutside =
  | {
      readonly kind: 'listening';
      readonly smtpPort: number;
      readonly hooksPort: number;
      readonly dnsAddress: string;
    }
  | {
      readonly kind: 'counted';
      readonly taken: number;
      readonly hooked: number;
      /** How long it stood still itself, in milliseconds, each time that it did. */
      readonly stalls: readonly number[];
      readonly cuts: SinkFaults;
      /** Bytes of reply that nobody asked for. */
      readonly flooded: number;
    }
  | { readonly kind: 'dns-set' }
  | { readonly kind: 'ended' };

type Of<Kind extends FromOutside['kind']> = Extract<FromOutside, { kind: Kind }>;

export class Outside {
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly at: Of<'listening'>;

  private constructor(child: ChildProcess, file: string, at: Of<'listening'>) {
    this.#child = child;
    this.#file = file;
    this.at = at;
  }

  static async start(options: OutsideOptions): Promise<Outside> {
    const script = fileURLToPath(new URL('outside-process.ts', import.meta.url));
    const child = fork(script, [JSON.stringify(options)], { execArgv: ['--import', 'tsx'] });
    const at = (await heard(child, 'listening')) as Of<'listening'>;
    return new Outside(child, options.file, at);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  publish(name: string, value: string): void {
    this.#child.send({ kind: 'publish', name, value } satisfies ToOutside);
  }

  /** From now on it only does what it should. */
  calm(): void {
    this.#child.send({ kind: 'calm' } satisfies ToOutside);
  }

  /** It is so when it resolves. */
  async setDns(state: DnsState): Promise<void> {
    const done = heard(this.#child, 'dns-set');
    this.#child.send({ kind: 'dns', state } satisfies ToOutside);
    await done;
  }

  async count(): Promise<Of<'counted'>> {
    const counted = heard(this.#child, 'counted');
    this.#child.send({ kind: 'count' } satisfies ToOutside);
    return (await counted) as Of<'counted'>;
  }

  /** Everything is on disk when it resolves. */
  async end(): Promise<void> {
    if (!this.#child.connected) return;
    const exited = once(this.#child, 'exit');
    this.#child.send({ kind: 'end' } satisfies ToOutside);
    await exited;
  }

  lines(): AsyncIterable<OutsideLine> {
    return linesOf(this.#file);
  }
}

async function* linesOf(file: string): AsyncGenerator<OutsideLine> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line);
}

async function heard(child: ChildProcess, kind: FromOutside['kind']): Promise<FromOutside> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [FromOutside];
    if (message.kind === kind) return message;
  }
}
