/** A check: gathers facts, which a pure function judges. */
import type { Config } from '../runtime/config.ts';
import type { DoctorContext } from './doctor-context.ts';
import type { Observation } from './finding.ts';

export interface DoctorCheck {
  readonly name: string;
  /** For use at startup: queries only DNS, the disk and the database. */
  readonly isQuick: boolean;
  readonly needsDatabase: boolean;
  /** The check needs DNS, so it is skipped while no DNS server answers. */
  readonly needsDns: (config: Config) => boolean;
  /** The consequence when this check fails. */
  readonly matters: string;
  readonly observe: (context: DoctorContext) => Promise<readonly Observation[]>;
}

interface CheckParts<Facts> {
  readonly name: string;
  readonly isQuick?: true;
  readonly needsDatabase?: true;
  readonly needsDns?: true | ((config: Config) => boolean);
  readonly matters: string;
  readonly gather: (context: DoctorContext) => Promise<Facts>;
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
    observe: async (context) => judge(await gather(context)),
  };
}

const always = (): boolean => true;
const never = (): boolean => false;
