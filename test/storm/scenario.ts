/** What a scenario is: an installation, and the harm that is done to it. Ledger and accounting are the same for all. */
import type { FaultLog } from './fault-log.ts';
import type { Faults } from './faults.ts';
import type { Installation } from './installation.ts';
import type { Ledger } from './ledger.ts';
import type { Outside, OutsideOptions } from './outside.ts';
import type { Sender, SenderOptions } from './sender.ts';
import type { Traffic } from './traffic.ts';

export interface StormOptions {
  readonly seed: number;
  readonly forMs: number;
  readonly workers: number;
  /** Which kinds of faults; only the storm at large chooses. */
  readonly kinds: ReadonlySet<string>;
  /** Between two kills on average; the storm at large. */
  readonly killEveryMs: number;
  readonly longestFreezeMs: number;
  /** Between two workers that are frozen beyond their lease, on average; the storm at large. */
  readonly pastLeaseEveryMs?: number;
  /** No Patroni, though it is installed. */
  readonly isPlain?: boolean;
  readonly sending: Pick<SenderOptions, 'rate' | 'keyed' | 'repeated'>;
  /** Nothing more is sent while so many deliveries are due: what the machine can hold is the pace. */
  readonly mostDue?: number;
  /** How likely the recipients' server cuts a connection, for one message and each way to do so. */
  readonly sinkCuts?: number;
  /** Instead of the built supervisor of this checkout. */
  readonly program?: string;
  /** Everything of this run: PostgreSQL, journals, logs. */
  readonly dataDir: string;
  /** With nothing moving for so long, what is queued is taken for stuck. */
  readonly stuckAfterMs: number;
  readonly say: (line: string) => void;
  /** Called with what ends everything that was started, whatever state it is in. */
  readonly onStarted?: (endAll: () => Promise<void>) => void;
}

export interface StormContext {
  readonly options: StormOptions;
  readonly installation: Installation;
  readonly outside: Outside;
  readonly ledger: Ledger;
  readonly log: FaultLog;
  readonly sender: Sender;
  readonly faults: Faults;
  readonly traffic: Traffic;
}

export interface Scenario {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** What it takes unless the command line says otherwise. */
  readonly usual: { readonly minutes: number; readonly rate: number; readonly workers: number };
  /** What part of the requests has a key; more than half unless given. */
  readonly keyed?: number;
  /** Why it cannot be done on this machine; null where it can. */
  whyNot?(): string | null;
  /** Half of the kills, freezes and ended sessions must meet so many deliveries in hand; one unless given. */
  readonly leastInHand?: number;
  /**
   * The part of all deliveries that must be made before the faults are over; none unless given. It matters where faults strike
   * all the time. Where one fault strikes, mail in hand at that moment matters.
   */
  readonly leastDuringFaults?: number;
  /** Scheduled mail follows a clock that the scenario sets. */
  readonly mayBeEarly?: boolean;
  /** To whom mail goes; the usual ones unless given. */
  addressOf?(submission: number, index: number): string;
  /**
   * What was deferred waits for as long as it would for users; with nothing moving for so long it is stuck. Unless given,
   * everything that waits is tried again every few seconds.
   */
  readonly waitsMs?: number;
  outside(options: StormOptions): Omit<OutsideOptions, 'file' | 'seed'>;
  install(options: StormOptions, outside: Outside): Promise<Installation>;
  /** Mail is being sent meanwhile, until it resolves. */
  strike(context: StormContext): Promise<void>;
  /** What is wrong beyond the accounting. */
  problems?(context: StormContext): string[];
  /** Takes away what it made outside of its folder, and what keeps that from being removed. */
  clear?(): void;
  /** What it measured, in words. */
  figures?(): readonly (readonly [string, string | number])[];
  /** Ends what it started beside the installation. */
  end?(): Promise<void>;
}

/** Recipients' servers that are well. */
export const FAIR_WEATHER = {
  faults: { beforeDot: 0, afterDot: 0, halfReply: 0 },
  thinkMs: { data: 0, dot: 0 },
  hookFailures: 0,
} as const;
