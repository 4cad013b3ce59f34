import type { FuzzReport } from './ask.ts';
import type { FuzzFixture } from './fixture.ts';

/** More than this is not a cache that fills. */
const MAX_GROWTH_MB = 48;

/** Everything that is wrong with a run, the whole of it included. */
export function verdictOn(report: FuzzReport, fixture: FuzzFixture): readonly string[] {
  const { before, after } = report.memory;
  const complaints = fixture.complaints();
  return [
    ...report.problems,
    ...(after - before > MAX_GROWTH_MB ? [`The API's memory grew from ${before} to ${after} MB.`] : []),
    ...(complaints === '' ? [] : [`The processes complained:\n${complaints.slice(-4_000)}`]),
    // A fuzzer that gets nowhere proves nothing.
    ...(['200', '201', '400', '404'].some((status) => (report.byStatus[status] ?? 0) < 10)
      ? [`Some kinds of answer hardly came up: ${JSON.stringify(report.byStatus)}`]
      : []),
  ];
}
