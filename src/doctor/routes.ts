/** `/doctor`: the doctor's findings, for users who run the installation. */
import { hostname } from 'node:os';
import { Type } from 'typebox';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { nullable, stringEnum, timestamp } from '../http/schema.ts';
import { LEVELS } from './finding.ts';
import type { DoctorReport, DoctorReports } from './reports.ts';

const finding = Type.Object(
  {
    check: Type.String({
      description: 'Name of the check, such as `outbound_smtp`.',
      examples: ['outbound_smtp'],
    }),
    level: stringEnum(LEVELS, {
      description:
        '`bad`: mail or data is lost. `warn`: some mail or data may be lost. `unknown`: the check could not be completed; `seen` has the reason. `ok`: no problem was found.',
    }),
    seen: Type.String({ description: 'What the check found, in one sentence.' }),
    why: Type.String({ description: 'Why the finding matters: its consequence for mail or data.' }),
    fix: nullable(
      Type.String({
        description:
          'The DNS record, the setting or the command that fixes the problem. Null if there is nothing to fix.',
      }),
    ),
  },
  { $id: 'DoctorFinding' },
);

const doctorReport = Type.Object(
  {
    examined_at: nullable(
      timestamp({
        description:
          'Time of the last run of the checks. Null if they have not run since this API process was started.',
      }),
    ),
    machine: Type.String({
      description: 'Host name of the machine that ran the checks. It is the machine of the API.',
    }),
    version: Type.String({ description: 'Version of Postrider that the API runs.', examples: ['0.1.0'] }),
    findings: Type.Array(finding),
  },
  { $id: 'DoctorReport' },
);

const tags = ['Doctor'];
const config = { access: 'operator' } as const;
const response = { 200: dataOf(doctorReport) };

export function doctorRoutes(reports: DoctorReports, version: string): ApiRoutes {
  const view = (report: DoctorReport | null) => viewOf(report, version);
  return async (app) => {
    const last = { tags, summary: 'Get the last report of the doctor', response };
    app.get('/doctor', { config, schema: last }, async () => ({ data: view(reports.last) }));

    const examine = {
      tags,
      summary: 'Run the checks of the doctor',
      description:
        'Takes up to 25 seconds: the doctor queries DNS, block lists and time servers, and connects to the mail hosts of three large receivers. The checks run once a minute at most; earlier requests get the last report.',
      response,
    };
    app.post('/doctor', { config, schema: examine }, async () => ({ data: view(await reports.examine()) }));
  };
}

function viewOf(report: DoctorReport | null, version: string) {
  return {
    examined_at: report?.examinedAt ?? null,
    machine: hostname(),
    version,
    findings: (report?.findings ?? []).map((one) => ({ ...one })),
  };
}
