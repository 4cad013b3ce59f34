import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolModel } from './protocol-model.ts';
import type { ModelWorld, Rules } from './protocol-model-rules.ts';
import type { ModelAcceptance } from './protocol-model-worker.ts';

type Step = (model: ProtocolModel) => void;

const worker = fc.constantFrom('one', 'two', 'three');
const mail = fc.integer({ min: 0, max: 2 });
const ms = fc.constantFrom(1_000, 3_000, 9_000, 20_000, 40_000);

const claims = (w: string) => (model: ProtocolModel) => model.claim(w);
const ends = (w: string) => (model: ProtocolModel) => model.dot(w);
const reads = (w: string) => (model: ProtocolModel) => model.reply(w);
const settles = (w: string) => (model: ProtocolModel) => model.settle(w);
const freezes = (w: string) => (model: ProtocolModel) => model.freeze(w);
const thaws = (w: string) => (model: ProtocolModel) => model.thaw(w);
const crashes = (w: string) => (model: ProtocolModel) => model.crash(w);
const stops = (w: string) => (model: ProtocolModel) => model.stop(w);
const holds = (m: number) => (model: ProtocolModel) => model.hold(m);
const endsHold = (m: number) => (model: ProtocolModel) => model.endHold(m);
const restarts = (w: string) => (model: ProtocolModel) => model.restart(w);
const passes = (time: number) => (model: ProtocolModel) => model.pass(time);
const sleeps = (time: number) => (model: ProtocolModel) => model.sleep(time);
const database = (isUp: boolean) => (model: ProtocolModel) => {
  model.isDatabaseUp = isUp;
};
const delivers = (w: string) => (model: ProtocolModel) =>
  [claims, ends, reads, settles].forEach((step) => {
    step(w)(model);
  });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: worker.map(claims) },
  { weight: 4, arbitrary: worker.map(ends) },
  { weight: 3, arbitrary: worker.map(reads) },
  { weight: 3, arbitrary: worker.map(settles) },
  { weight: 2, arbitrary: worker.map(delivers) },
  { weight: 3, arbitrary: ms.map(passes) },
  worker.map((w) => (model: ProtocolModel) => model.loseReply(w)),
  worker.map((w) => (model: ProtocolModel) => model.claim(w, true)),
  worker.map((w) => (model: ProtocolModel) => model.beat(w, true)),
  worker.map(freezes),
  worker.map(thaws),
  worker.map(crashes),
  worker.map(stops),
  worker.map(restarts),
  mail.map(holds),
  mail.map(endsHold),
  ms.map(sleeps),
  fc.boolean().map(database),
);

/** Runs any schedule to its end, and says what went wrong. */
function explore(world: Omit<ModelWorld, 'mails'>, check: (model: ProtocolModel) => void): void {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = new ProtocolModel({ ...world, mails: 3 });
      for (const one of steps) one(model);
      model.recover();
      check(model);
    }),
    { numRuns: 3_000, seed: 20_261_115 },
  );
}

/** All but the last time that the server took a mail. */
function repeated({ acceptances }: ProtocolModel): ModelAcceptance[] {
  return acceptances.filter((one, index) =>
    acceptances.slice(index + 1).some(({ mail }) => mail === one.mail),
  );
}

function losesNothing(model: ProtocolModel): void {
  expect(model.unsettled).toBe(0);
  expect(new Set(model.acceptances.map(({ mail }) => mail)).size).toBe(3);
}

/** The one window: the server had taken it, and whoever handed it over could not read that it had. */
function repeatsOnlyTheUncertain(model: ProtocolModel): void {
  expect(repeated(model).filter(({ replyRead, isUncertain }) => replyRead || !isUncertain)).toEqual([]);
}

describe('the protocol, in any order of steps, crashes and lost replies', () => {
  it('settles every mail in the end', () => {
    explore({ sharedFolder: true }, losesNothing);
    explore({ sharedFolder: false }, losesNothing);
  });

  it('sends a mail twice only where nobody could know that it was taken', () => {
    explore({ sharedFolder: true }, repeatsOnlyTheUncertain);
  });
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
