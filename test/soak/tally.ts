/** How often each kind of request was made, and what went otherwise than it should. */
export interface Counted {
  asked: number;
  failed: number;
}

const KEPT = 20;

export class Tally {
  readonly counts: Record<string, Counted> = {};
  /** The first few, in words. */
  readonly failures: string[] = [];

  count(kind: string, failure: string | null): void {
    const counted = this.counts[kind] ?? { asked: 0, failed: 0 };
    this.counts[kind] = counted;
    counted.asked += 1;
    if (failure === null) return;
    counted.failed += 1;
    if (this.failures.length < KEPT) this.failures.push(`${new Date().toISOString()} ${kind}: ${failure}`);
  }

  /** Counts what `work` says, or that it was thrown. */
  async watch(kind: string, work: () => Promise<string | null>): Promise<void> {
    this.count(kind, await work().catch((error: unknown) => String(error)));
  }

  get asked(): number {
    return Object.values(this.counts).reduce((sum, { asked }) => sum + asked, 0);
  }

  get failed(): number {
    return Object.values(this.counts).reduce((sum, { failed }) => sum + failed, 0);
  }
}
