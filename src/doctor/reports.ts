/**
 * The last report of the doctor, for people who ask over HTTP. An examination knocks at other people's servers, so there is
 * one at a time, and not more than one in a minute: whoever asks meanwhile gets the one that is under way, or the last.
 *
 * Owns the last report and the examination that is under way.
 */
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { DoctorFinding } from './finding.ts';

export interface DoctorReport {
  readonly examinedAt: Date;
  readonly findings: readonly DoctorFinding[];
}

export interface DoctorReportsDeps {
  readonly examine: () => Promise<readonly DoctorFinding[]>;
  readonly clock: Clock;
  readonly steady: Clock;
}

const EVERY_MS = MINUTE_MS;

export class DoctorReports {
  readonly #deps: DoctorReportsDeps;
  #last: DoctorReport | null = null;
  #againAtMs = Number.NEGATIVE_INFINITY;
  #underWay: Promise<DoctorReport> | null = null;

  constructor(deps: DoctorReportsDeps) {
    this.#deps = deps;
  }

  get last(): DoctorReport | null {
    return this.#last;
  }

  async examine(): Promise<DoctorReport> {
    if (this.#last !== null && this.#deps.steady.nowMs() < this.#againAtMs) return this.#last;
    this.#underWay ??= this.#examineNow().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #examineNow(): Promise<DoctorReport> {
    const { examine, clock, steady } = this.#deps;
    const findings = await examine();
    this.#last = { examinedAt: new Date(clock.nowMs()), findings };
    this.#againAtMs = steady.nowMs() + EVERY_MS;
    return this.#last;
  }
}
