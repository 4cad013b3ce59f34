import { describe, expect, it } from 'vitest';
import { modelSeeds } from '../support/model-seeds.ts';
import { ProtocolModel } from './protocol-model.ts';
import type { Rules } from './protocol-model-rules.ts';
import {
  beginsStop,
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
} from './queue-steps.ts';

const numRuns = 1_000;

describe('the protocol, in any order of steps, crashes and lost replies', () => {
  it.each(modelSeeds)('settles every mail in the end (seed %i)', (seed) => {
    explore({ sharedFolder: true }, losesNothing, { seed, numRuns });
    explore({ sharedFolder: false }, losesNothing, { seed, numRuns });
  });

  it.each(modelSeeds)('sends a mail twice only if its acceptance was unknowable (seed %i)', (seed) => {
    explore({ sharedFolder: true }, repeatsOnlyTheUncertain, { seed, numRuns });
  });
});

describe('the check detects that', () => {
  type Check = (model: ProtocolModel) => void;

  /** A schedule that is harmless, and becomes harmful with a rule broken. */
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

  it('a worker is declared dead by the age of its heartbeat alone', () => {
    const schedule = [claims('one'), ends('one'), sleeps(30_000), (m: ProtocolModel) => m.beat('two')];
    needs({ judgesByAge: true }, [...schedule, delivers('two')], repeatsOnlyTheUncertain);
  });

  it('a worker does not check its claim right before the final dot', () => {
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

  it('a worker never compares its claims with its work in progress', () => {
    needs({ neverReconciles: true }, [(model) => model.claim('one', true)], losesNothing);
  });

  it('rows of a dead worker are released before its journal was read', () => {
    const schedule = [claims('one'), ends('one'), reads('one'), crashes('one'), restarts('one')];
    needs({ forgetsJournals: true }, schedule, repeatsOnlyTheUncertain);
  });

  it('a stopping worker releases its mail before it settles what a server accepted', () => {
    const schedule = [claims('one'), ends('one'), reads('one'), stops('one'), delivers('two')];
    needs({ stopsUnsettled: true }, schedule, repeatsOnlyTheUncertain);
  });

  it('a stopping worker releases mail that a receiver has, and does not wait for its reply', () => {
    const schedule = [claims('one'), ends('one'), beginsStop('one'), delivers('two'), reads('one')];
    needs({ stopsUnanswered: true }, schedule, repeatsOnlyTheUncertain);
  });

  it('a stopping worker sends no heartbeats while it waits for a reply', () => {
    const schedule = [claims('one'), ends('one'), beginsStop('one'), passes(40_000), delivers('two')];
    needs({ stopsSilently: true }, [...schedule, reads('one')], repeatsOnlyTheUncertain);
  });

  it('mail is parked for a hold that has ended', () => {
    const learns = (model: ProtocolModel) => model.beat('one');
    const schedule = [claims('one'), holds(0), learns, endsHold(0), ends('one')];
    needs({ parksUnseen: true }, schedule, losesNothing);
  });

  it('an outcome that cannot be settled at once is dropped', () => {
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
