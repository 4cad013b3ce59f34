import { describe, expect, it } from 'vitest';
import {
  claims,
  crashes,
  database,
  delivers,
  ends,
  endsHold,
  explore,
  freezes,
  holds,
  losesNothing,
  passes,
  reads,
  repeatsOnlyTheUncertain,
  restarts,
  type Step,
  settles,
  sleeps,
  stops,
  thaws,
} from '../../test/model/queue-steps.ts';
import { modelSeeds } from '../../test/support/model-seeds.ts';
import { ProtocolModel } from './protocol-model.ts';
import type { Rules } from './protocol-model-rules.ts';

const numRuns = 1_000;

describe('the protocol, in any order of steps, crashes and lost replies', () => {
  it.each(modelSeeds)('settles every mail in the end (seed %i)', (seed) => {
    explore({ sharedFolder: true }, losesNothing, { seed, numRuns });
    explore({ sharedFolder: false }, losesNothing, { seed, numRuns });
  });

  it.each(modelSeeds)(
    'sends a mail twice only where nobody could know that it was taken (seed %i)',
    (seed) => {
      explore({ sharedFolder: true }, repeatsOnlyTheUncertain, { seed, numRuns });
    },
  );
});

describe('the check would notice', () => {
  type Check = (model: ProtocolModel) => void;

  /** A schedule that is harmless, and is not any more with a rule broken. */
  function needs(rules: Rules, schedule: readonly Step[], check: Check): void {
    const run = (broken: Rules) => {
      const model = new ProtocolModel({ mails: 3, sharedFolder: true, rules: broken });
      for (const one of schedule) one(model);
      model.recover();
      check(model);
    };
    run({});
    expect(() => run(rules)).toThrow();
  }

  it('if a worker were dead because its heartbeat is old', () => {
    const schedule = [claims('one'), ends('one'), sleeps(30_000), (m: ProtocolModel) => m.beat('two')];
    needs({ judgesByAge: true }, [...schedule, delivers('two')], repeatsOnlyTheUncertain);
  });

  it('if nobody asked right before the final dot', () => {
    const schedule = [
      claims('one'),
      freezes('one'),
      passes(40_000),
      delivers('two'),
      thaws('one'),
      ends('one'),
    ];
    needs({ trustsItsClaim: true }, schedule, repeatsOnlyTheUncertain);
  });

  it('if what is claimed were never compared with what is in hand', () => {
    needs({ neverReconciles: true }, [(model) => model.claim('one', true)], losesNothing);
  });

  it('if the dead were buried before their journal was read', () => {
    const schedule = [claims('one'), ends('one'), reads('one'), crashes('one'), restarts('one')];
    needs({ forgetsJournals: true }, schedule, repeatsOnlyTheUncertain);
  });

  it('if a worker that stops gave back its mail before it had settled what a server took', () => {
    const schedule = [claims('one'), ends('one'), reads('one'), stops('one'), delivers('two')];
    needs({ stopsUnsettled: true }, schedule, repeatsOnlyTheUncertain);
  });

  it('if mail were parked for a hold that has ended', () => {
    const learns = (model: ProtocolModel) => model.beat('one');
    const schedule = [claims('one'), holds(0), learns, endsHold(0), ends('one')];
    needs({ parksUnseen: true }, schedule, losesNothing);
  });

  it('if an outcome that cannot be settled at once were given up', () => {
    const schedule = [
      claims('one'),
      ends('one'),
      reads('one'),
      database(false),
      settles('one'),
      database(true),
    ];
    needs({ givesUpSettling: true }, schedule, repeatsOnlyTheUncertain);
  });
});
