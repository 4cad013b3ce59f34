import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { logOutagesOnce, type Outage } from './log-outages.ts';

class AwayError extends Error {
  readonly outage: Outage;

  constructor(outage: Outage = {}) {
    super('No host takes writes');
    this.outage = outage;
  }
}

function startLog() {
  const lines: Record<string, unknown>[] = [];
  const time = { ms: 0 };
  const logMethod = logOutagesOnce(
    (error) => (error instanceof AwayError ? error.outage : null),
    () => time.ms,
  );
  const log = pino(
    { base: null, hooks: { logMethod } },
    { write: (line: string) => lines.push(JSON.parse(line)) },
  );
  const told = () =>
    lines.splice(0).map(({ msg, omitted }) => (omitted === undefined ? msg : [msg, omitted]));
  return { log, lines, time, told };
}

const away = { err: new AwayError() };

describe('a log while the database is away', () => {
  it('says it once, and each minute with how often it was left out', () => {
    const { log, time, told } = startLog();
    for (time.ms = 0; time.ms < 150_000; time.ms += 1_000) log.warn(away, 'cannot claim');
    expect(told()).toEqual(['cannot claim', ['cannot claim', 59], ['cannot claim', 59]]);
  });

  it('says everything that is not said in the same words', () => {
    const { log, told } = startLog();
    log.warn(away, 'cannot claim');
    log.error(away, 'cannot record');
    log.child({ part: 'lease' }).warn(away, 'cannot claim');
    expect(told()).toEqual(['cannot claim', 'cannot record']);
  });

  it('says once of each database, and of each way to be away, which it is', () => {
    const { log, lines } = startLog();
    const errors = [{}, { cell: 'two' }, { cell: 'three' }, { cell: 'two', code: 'ECONNREFUSED' }].map(
      (outage) => new AwayError(outage),
    );
    for (const err of [...errors, ...errors]) log.error({ err }, 'a request failed');
    expect(lines.map(({ cell }) => cell)).toEqual([undefined, 'two', 'three', 'two']);
  });

  it('leaves out nothing that has another reason', () => {
    const { log, told } = startLog();
    for (let i = 0; i < 3; i += 1) {
      log.warn({ err: new Error('a bug') }, 'cannot claim');
      log.info({ host: 'pg2' }, 'the database is at another host now');
      log.info('started');
    }
    expect(told()).toHaveLength(9);
  });
});
