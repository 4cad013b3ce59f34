/** A check: it gathers facts, and a pure function says what they mean. */
import type { Observation } from './finding.ts';
import type { DoctorWorld } from './world.ts';

export interface DoctorCheck {
  readonly name: string;
  /** For a start, where somebody waits: nobody is asked but DNS, the disk and the database. */
  readonly isQuick: boolean;
  readonly needsDatabase: boolean;
  /** What is lost when this is wrong. */
  readonly matters: string;
  readonly observe: (world: DoctorWorld) => Promise<readonly Observation[]>;
}

interface CheckParts<Facts> {
  readonly name: string;
  readonly isQuick?: true;
  readonly needsDatabase?: true;
  readonly matters: string;
  readonly gather: (world: DoctorWorld) => Promise<Facts>;
  readonly judge: (facts: Facts) => readonly Observation[];
}

export function doctorCheck<Facts>(parts: CheckParts<Facts>): DoctorCheck {
  const { name, isQuick = false, needsDatabase = false, matters, gather, judge } = parts;
  return { name, isQuick, needsDatabase, matters, observe: async (world) => judge(await gather(world)) };
}
