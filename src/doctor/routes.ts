/** `/doctor`: the doctor's findings, for users who run the installation. */
import { hostname } from 'node:os';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import type { DoctorReport, DoctorReports } from './reports.ts';
import { doctorReport } from './schema.ts';

const tags = ['Doctor'];
const config = { access: 'operator' } as const;
const response = { 200: dataOf(doctorReport) };

export function doctorRoutes(reports: DoctorReports): ApiRoutes {
  return async (app) => {
    const last = { tags, summary: 'Get the last report of the doctor', response };
    app.get('/doctor', { config, schema: last }, async () => ({ data: view(reports.last) }));

    const examine = {
      tags,
      summary: 'Examine what mail depends on',
      description:
        'Takes up to 25 seconds: it asks DNS, block lists and time servers, and greets the mail hosts of three big receivers. Once a minute at most; earlier requests get the last report.',
      response,
    };
    app.post('/doctor', { config, schema: examine }, async () => ({ data: view(await reports.examine()) }));
  };
}

function view(report: DoctorReport | null) {
  return {
    examined_at: report?.examinedAt ?? null,
    machine: hostname(),
    findings: (report?.findings ?? []).map((one) => ({ ...one })),
  };
}
