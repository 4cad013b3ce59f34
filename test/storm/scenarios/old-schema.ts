/** New code over an old schema, killed in the middle: of the migrations, or of everything up to the first deliveries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../fuzz/random.ts';
import type { FaultLog } from '../fault-log.ts';
import { SupervisedInstallation } from '../installation.ts';
import type { Ledger } from '../ledger.ts';
import {
  fingerprintOf,
  makeOldInstallation,
  NEWEST,
  OLDEST,
  type OldInstallation,
  type OldMail,
} from '../old-schema.ts';
import { startRoughly } from '../rough-start.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

interface OldSchema {
  readonly name: string;
  readonly about: string;
  readonly settled: number;
  readonly queued: number;
  readonly kills: number;
  readonly apartMs: number;
}

/** Much that is settled, so that migrations take their time; kills soon after each start hit them. */
export const migration = (): Scenario =>
  oldSchema({
    name: 'migration',
    about: 'Kills in the middle of the migrations of a database full of mail.',
    settled: 50_000,
    queued: 200,
    kills: 10,
    apartMs: 3_000,
  });

export const upgrade = (): Scenario =>
  oldSchema({
    name: 'upgrade',
    about:
      'Starts over the schema of an earlier version with mail in its queue, and kills all along the way.',
    settled: 200,
    queued: 3_000,
    kills: 12,
    apartMs: 5_000,
  });

function oldSchema({ name, about, kills, apartMs, ...mails }: OldSchema): Scenario {
  let old: OldInstallation;
  let log: FaultLog;
  let fingerprint = '';
  return {
    name,
    about,
    usual: { minutes: 0.2, rate: 50, workers: 2 },
    outside: () => FAIR_WEATHER,
    async install(options, outside) {
      const { dataDir, seed } = options;
      old = await makeOldInstallation(dataDir, {
        version: OLDEST + (seed % (NEWEST + 1 - OLDEST)),
        ...mails,
      });
      const installation = await SupervisedInstallation.launch({ ...options, outside });
      log = await startRoughly(installation, { random: new Random(seed), kills, apartMs });
      fingerprint = await fingerprintOf(installation.db);
      return installation;
    },
    async strike({ options, ...context }) {
      context.log.adopt(log);
      for (const mail of old.queued) promise(context.ledger, mail);
      await sleep(options.forMs);
    },
    problems: () => (fingerprint === old.fingerprint ? [] : ['mail from before is not as it was']),
    figures: () => [['schema it began with, mail in its queue', `${old.version}, ${old.queued.length}`]],
  };
}

/** It was accepted, by an earlier version. */
function promise(ledger: Ledger, { number, id, address }: OldMail): void {
  const submission = ledger.open({
    number,
    ingress: 'http',
    kind: 'plain',
    emails: [[address]],
    idempotencyKey: null,
    scheduledAtMs: null,
  });
  submission.state = 'accepted';
  submission.emailIds = [id];
}
