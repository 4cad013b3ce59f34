/**
 * The doctor's last report, for users over HTTP. An examination queries third-party servers, so only one runs
 * at a time and at most one per minute: other requests share the one in progress, or get the last report.
 *
 * Owns the last report and the examination in progress.
 */
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import { SharedRun } from '../runtime/single-flight.ts';
import type { DoctorFinding } from './finding.ts';

export interface DoctorReport {
  readonly examinedAt: Date;
  readonly findings: readonly DoctorFinding[];
}

interface DoctorReportsDeps {
  readonly examine: () => Promise<readonly DoctorFinding[]>;
  readonly clock: Clock;
  readonly steady: Clock;
}

const EVERY_MS = MINUTE_MS;

export class DoctorReports {
  readonly #deps: DoctorReportsDeps;
  #last: DoctorReport | null = null;
  #againAtMs = Number.NEGATIVE_INFINITY;
  readonly #examination = new SharedRun(() => this.#examineNow());

  constructor(deps: DoctorReportsDeps) {
    this.#deps = deps;
  }

  get last(): DoctorReport | null {
    return this.#last;
  }

  async examine(): Promise<DoctorReport> {
    if (this.#last !== null && this.#deps.steady.nowMs() < this.#againAtMs) return this.#last;
    return this.#examination.run();
  }

  async #examineNow(): Promise<DoctorReport> {
    const { examine, clock, steady } = this.#deps;
    const findings = await examine();
    this.#last = { examinedAt: new Date(clock.nowMs()), findings };
    this.#againAtMs = steady.nowMs() + EVERY_MS;
    return this.#last;
  }
}
