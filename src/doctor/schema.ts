/** The schema of a doctor's report. */
import { Type } from 'typebox';
import { nullable, stringEnum, timestamp } from '../http/schema.ts';
import { LEVELS } from './finding.ts';

const finding = Type.Object(
  {
    check: Type.String({ description: 'Which check it is of.', examples: ['outbound_smtp'] }),
    level: stringEnum(LEVELS, {
      description:
        '`bad`: mail or data is lost. `warn`: some of it may be. `unknown`: it could not be examined, and why. `ok`: it is well.',
    }),
    seen: Type.String({ description: 'What was seen.' }),
    why: Type.String({ description: 'Why it matters.' }),
    fix: nullable(Type.String({ description: 'The record, the setting or the command that fixes it.' })),
  },
  { $id: 'DoctorFinding' },
);

export const doctorReport = Type.Object(
  {
    examined_at: nullable(
      timestamp({ description: 'Null before the first examination since this API was started.' }),
    ),
    machine: Type.String({ description: 'The machine that examined: the one that the API runs on.' }),
    findings: Type.Array(finding),
  },
  { $id: 'DoctorReport' },
);
