/** A check: it gathers facts, and a pure function says what they mean. */
import type { Config } from '../runtime/config.ts';
import type { DoctorContext } from './doctor-context.ts';
import type { Observation } from './finding.ts';

export interface DoctorCheck {
  readonly name: string;
  /** For a start, where somebody waits: nobody is asked but DNS, the disk and the database. */
  readonly isQuick: boolean;
  readonly needsDatabase: boolean;
  /** Without DNS the check finds out nothing, so it is not run while no DNS server answers. */
  readonly needsDns: (config: Config) => boolean;
  /** What is lost when this is wrong. */
  readonly matters: string;
  readonly observe: (world: DoctorContext) => Promise<readonly Observation[]>;
}

interface CheckParts<Facts> {
  readonly name: string;
  readonly isQuick?: true;
  readonly needsDatabase?: true;
  readonly needsDns?: true | ((config: Config) => boolean);
  readonly matters: string;
  readonly gather: (world: DoctorContext) => Promise<Facts>;
  readonly judge: (facts: Facts) => readonly Observation[];
}

export function doctorCheck<Facts>(parts: CheckParts<Facts>): DoctorCheck {
  const { name, isQuick = false, needsDatabase = false, needsDns = never, matters, gather, judge } = parts;
  return {
    name,
    isQuick,
    needsDatabase,
    needsDns: needsDns === true ? always : needsDns,
    matters,
    observe: async (world) => judge(await gather(world)),
  };
}

const always = (): boolean => true;
const never = (): boolean => false;
