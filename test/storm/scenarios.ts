/** Every scenario by its name; the first is the storm at large. */
import type { Scenario } from './scenario.ts';
import { takenOver, unsettled } from './scenarios/aimed.ts';
import { clockJump } from './scenarios/clock-jump.ts';
import { databaseOutage } from './scenarios/database-outage.ts';
import { diskFull } from './scenarios/disk-full.ts';
import { dnsDead } from './scenarios/dns-dead.ts';
import { failover } from './scenarios/failover.ts';
import { firstStart } from './scenarios/first-start.ts';
import { idempotentFreeze } from './scenarios/idempotent-freeze.ts';
import { journalFull } from './scenarios/journal-full.ts';
import { lostClaim } from './scenarios/lost-claim.ts';
import { lostCommit } from './scenarios/lost-commit.ts';
import { migration, upgrade } from './scenarios/old-schema.ts';
import { postgresFrozen } from './scenarios/postgres-frozen.ts';
import { powerCut } from './scenarios/power-cut.ts';
import { random } from './scenarios/random.ts';
import { receivers } from './scenarios/receivers.ts';
import { slowClock } from './scenarios/slow-clock.ts';
import { suspend } from './scenarios/suspend.ts';
import { workerFrozen } from './scenarios/worker-frozen.ts';

export const SCENARIOS: readonly Scenario[] = [
  random,
  lostClaim(),
  suspend,
  postgresFrozen,
  workerFrozen,
  takenOver,
  unsettled,
  databaseOutage(),
  lostCommit(),
  idempotentFreeze,
  diskFull(),
  journalFull(),
  clockJump(),
  slowClock(),
  powerCut(),
  dnsDead(),
  receivers(),
  failover('failover'),
  failover('switchover'),
  failover('standby-lost'),
  failover('split-network'),
  firstStart(),
  migration(),
  upgrade(),
];
