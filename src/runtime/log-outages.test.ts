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
  const takeLines = () =>
    lines.splice(0).map(({ msg, omitted }) => (omitted === undefined ? msg : [msg, omitted]));
  return { log, lines, time, takeLines };
}

const away = { err: new AwayError() };

describe('a log during a database outage', () => {
  it('writes a line once, and then each minute with the number omitted', () => {
    const { log, time, takeLines } = startLog();
    for (time.ms = 0; time.ms < 150_000; time.ms += 1_000) log.warn(away, 'cannot claim');
    expect(takeLines()).toEqual(['cannot claim', ['cannot claim', 59], ['cannot claim', 59]]);
  });

  it('writes every line with a different message', () => {
    const { log, takeLines } = startLog();
    log.warn(away, 'cannot claim');
    log.error(away, 'cannot record');
    log.child({ part: 'lease' }).warn(away, 'cannot claim');
    expect(takeLines()).toEqual(['cannot claim', 'cannot record']);
  });

  it('writes one line per database and per kind of outage', () => {
    const { log, lines } = startLog();
    const errors = [{}, { cell: 'two' }, { cell: 'three' }, { cell: 'two', code: 'ECONNREFUSED' }].map(
      (outage) => new AwayError(outage),
    );
    for (const err of [...errors, ...errors]) log.error({ err }, 'a request failed');
    expect(lines.map(({ cell }) => cell)).toEqual([undefined, 'two', 'three', 'two']);
  });

  it('omits no line with another cause', () => {
    const { log, takeLines } = startLog();
    for (let i = 0; i < 3; i += 1) {
      log.warn({ err: new Error('a bug') }, 'cannot claim');
      log.info({ host: 'pg2' }, 'the database has moved to another host');
      log.info('started');
    }
    expect(takeLines()).toHaveLength(9);
  });
});
