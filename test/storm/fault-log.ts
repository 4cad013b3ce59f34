/** What was done to whom, when: the only excuses that the accounting accepts. */
export type Harm =
  /** Dead from that moment on. */
  | 'killed'
  /** Did nothing from `fromMs` to `toMs`. */
  | 'frozen'
  /** Lost its supervisor, and was told by that to stop. */
  | 'stopped';

export interface Fault {
  readonly kind: string;
  readonly harm: Harm;
  /** `worker`, `api`, `postgres`, … */
  readonly victim: string;
  readonly pid: number;
  /**
   * The victim's connections at that moment, by its own ports, each with how many bytes it had not read yet, on their
   * way to it included: what tells which of the sink's connections were its, and whether it had read the reply.
   */
  readonly connections: ReadonlyMap<number, number>;
  /** When the last turn of the victim's event loop began that had also ended by then. */
  readonly lastTurnMs?: number | undefined;
  /** Of whom a journal said at that moment that they had been delivered to: what somebody could have known. */
  readonly noted?: ReadonlySet<string>;
  readonly fromMs: number;
  /** Infinity for what does not end. */
  toMs: number;
  /** Recipients of whom the victim had written down that they were delivered to, and whose lines the fault took away. */
  readonly forgotten?: ReadonlySet<string>;
}

export class FaultLog {
  readonly faults: Fault[] = [];
  /** How often each kind struck; one strike may hit several processes. */
  readonly struck: Record<string, number> = {};
  /** Of each kind, how many deliveries were in hand at each strike of which that is known. */
  readonly inHand: Record<string, number[]> = {};
  /** Deliveries that the outside world had taken when the faults were over. */
  delivered = 0;
  /** Wanted at a moment at which there was nobody to do it to. */
  missed = 0;

  add(fault: Fault): Fault {
    this.faults.push(fault);
    return fault;
  }

  /** `inHand`: deliveries that the victim, or the whole installation, was busy with; null where nobody has counted. */
  strike(kind: string, inHand: number | null): void {
    this.struck[kind] = (this.struck[kind] ?? 0) + 1;
    if (inHand !== null) this.inHand[kind] = [...(this.inHand[kind] ?? []), inHand];
  }

  over({ taken }: { readonly taken: number }): void {
    this.delivered = taken;
  }

  /** What was done before there was this one. */
  adopt(earlier: FaultLog): void {
    this.faults.push(...earlier.faults);
    for (const [kind, times] of Object.entries(earlier.struck))
      this.struck[kind] = (this.struck[kind] ?? 0) + times;
    for (const [kind, counts] of Object.entries(earlier.inHand))
      this.inHand[kind] = [...(this.inHand[kind] ?? []), ...counts];
    this.missed += earlier.missed;
  }

  /** How many strikes of kinds whose names begin so. */
  strikes(prefix: string): number {
    return Object.entries(this.struck).reduce(
      (sum, [kind, n]) => (kind.startsWith(prefix) ? sum + n : sum),
      0,
    );
  }
}

/** On the clock that the outside world writes down. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}
