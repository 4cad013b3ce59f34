/** A database on three hosts loses one of them: nothing that was answered is gone, and mail goes on by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { writableUrl } from '../../../src/database/host-finder.ts';
import { onServer } from '../../support/standby.ts';
import { until } from '../../support/until.ts';
import { ApartInstallation } from '../apart.ts';
import type { DatabaseCluster } from '../cluster/cluster.ts';
import { whyNoNetworks } from '../cluster/hosts.ts';
import { startPatroniCluster, whyNoPatroni } from '../cluster/patroni.ts';
import { startPlainCluster } from '../cluster/plain.ts';
import { FAIR_WEATHER, type Scenario, type StormContext } from '../scenario.ts';

/** From the new primary's first moment to the first mail that is accepted, and delivered. */
const BACK_WITHIN_MS = 15_000;
/** Longer than a caller waits for a commit. */
const STANDBYS_AWAY_MS = 15_000;

const HARMS = {
  failover: {
    about: 'Kills everything on the host of the primary.',
    strike: (cluster: DatabaseCluster) => cluster.killPrimary(),
  },
  switchover: {
    about: 'Lets a standby take over in good order.',
    strike: (cluster: DatabaseCluster) => cluster.switchOver(),
  },
  'standby-lost': {
    about: `Takes all standbys away for ${STANDBYS_AWAY_MS / 1_000} s, so that no commit can be on two disks.`,
    async strike(cluster: DatabaseCluster) {
      await cluster.loseStandbys();
      await sleep(STANDBYS_AWAY_MS);
      await cluster.restore();
    },
  },
  'split-network': {
    about: 'Cuts the host of the primary off from everybody, without its being told.',
    strike: (cluster: DatabaseCluster) => cluster.cutOffPrimary(),
  },
} as const;

export function failover(name: keyof typeof HARMS): Scenario {
  const { about, strike } = HARMS[name];
  const back = { acceptedMs: 0, deliveredMs: 0, awayMs: 0, isRight: false };
  let cluster: DatabaseCluster | undefined;
  return {
    name,
    about,
    usual: { minutes: 0.5, rate: 50, workers: 2 },
    whyNot: () => (name === 'split-network' ? whyNoNetworks() : null),
    // Slow enough that there is always something that was taken and is not settled.
    outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: 0, dot: 100 } }),
    async install(options, outside) {
      const isPlain = options.isPlain === true || whyNoPatroni() !== null;
      cluster = await (isPlain ? startPlainCluster : startPatroniCluster)(options.dataDir);
      const readUrl = cluster.url.replace('read-write', 'standby');
      return ApartInstallation.start({
        ...options,
        outside,
        databaseUrl: cluster.url,
        takesSmtp: true,
        env: (host) => (host === 'api' ? { DATABASE_READ_URL: readUrl } : {}),
      });
    },
    async strike(context) {
      const { options, log } = context;
      if (cluster === undefined) return;
      await sleep(options.forMs / 2);
      const struckMs = performance.now();
      log.strike(name, context.traffic.inHand());
      await strike(cluster);
      await commit(cluster);
      back.awayMs = performance.now() - struckMs;
      await untilBack(context, back);
      const primary = await writableUrl(cluster.url);
      await cluster.restore();
      await sleep(options.forMs / 2);
      back.isRight = (await writableUrl(cluster.url)) === primary;
    },
    problems: () => [
      ...[back.acceptedMs, back.deliveredMs]
        .filter((ms) => ms > BACK_WITHIN_MS)
        .map((ms) => `mail goes on only ${Math.round(ms)} ms after the database does`),
      ...(back.isRight ? [] : ['another host is taken for the primary once the one that was lost is back']),
    ],
    figures: () => [
      ['the database', cluster?.about ?? ''],
      ['until a commit is on two disks again', `${Math.round(back.awayMs)} ms`],
      ['accepts again after that', `${Math.round(back.acceptedMs)} ms`],
      ['delivers again', `${Math.round(back.deliveredMs)} ms`],
    ],
    end: async () => cluster?.stop(),
  };
}

/** One of our own; it is answered when a standby has it. */
async function commit({ url }: DatabaseCluster): Promise<void> {
  await until(async () => {
    const found = await writableUrl(url).catch(() => null);
    if (found === null) return false;
    return onServer(found, (client) =>
      client.query(`SELECT pg_logical_emit_message(true, 'storm', '')`),
    ).then(
      () => true,
      () => false,
    );
  });
}

async function untilBack(
  { ledger, outside }: StormContext,
  back: { acceptedMs: number; deliveredMs: number },
) {
  const beganMs = performance.now();
  const accepted = ledger.emails('accepted');
  const { taken } = await outside.count();
  await until(() => ledger.emails('accepted') !== accepted);
  back.acceptedMs = performance.now() - beganMs;
  await until(async () => (await outside.count()).taken !== taken);
  back.deliveredMs = performance.now() - beganMs;
}
