/** Everything that can happen to the model of the queue, and what must hold afterwards. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { ProtocolModel } from './protocol-model.ts';
import type { ModelSettings } from './protocol-model-rules.ts';
import type { ModelAcceptance } from './protocol-model-worker.ts';

export type Step = (model: ProtocolModel) => void;

const worker = fc.constantFrom('one', 'two', 'three');
const mail = fc.integer({ min: 0, max: 2 });
const ms = fc.constantFrom(1_000, 3_000, 9_000, 20_000, 40_000);

export const claims = (w: string) => (model: ProtocolModel) => model.claim(w);
export const ends = (w: string) => (model: ProtocolModel) => model.dot(w);
export const reads = (w: string) => (model: ProtocolModel) => model.reply(w);
export const settles = (w: string) => (model: ProtocolModel) => model.settle(w);
export const freezes = (w: string) => (model: ProtocolModel) => model.freeze(w);
export const thaws = (w: string) => (model: ProtocolModel) => model.thaw(w);
export const crashes = (w: string) => (model: ProtocolModel) => model.crash(w);
export const stops = (w: string) => (model: ProtocolModel) => model.stop(w);
export const beginsStop = (w: string) => (model: ProtocolModel) => model.beginStop(w);
export const endsStop = (w: string) => (model: ProtocolModel) => model.endStop(w);
export const holds = (m: number) => (model: ProtocolModel) => model.hold(m);
export const endsHold = (m: number) => (model: ProtocolModel) => model.hold(m, false);
export const restarts = (w: string) => (model: ProtocolModel) => model.restart(w);
export const passes = (time: number) => (model: ProtocolModel) => model.pass(time);
export const sleeps = (time: number) => (model: ProtocolModel) => model.sleep(time);
export const database = (isUp: boolean) => (model: ProtocolModel) => {
  model.isDatabaseUp = isUp;
};
export const delivers = (w: string) => (model: ProtocolModel) =>
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
  worker.map((w) => (model: ProtocolModel) => model.beginClaim(w)),
  worker.map((w) => (model: ProtocolModel) => model.commitClaim(w)),
  worker.map((w) => (model: ProtocolModel) => model.beat(w, true)),
  worker.map(freezes),
  worker.map(thaws),
  worker.map(crashes),
  worker.map(stops),
  worker.map(beginsStop),
  worker.map(endsStop),
  worker.map(restarts),
  mail.map(holds),
  mail.map(endsHold),
  ms.map(sleeps),
  fc.boolean().map(database),
);

export interface Search {
  readonly seed: number;
  readonly numRuns: number;
}

/** Runs schedules to their end, and checks each. */
export function explore(
  fixture: Omit<ModelSettings, 'mails'>,
  check: (model: ProtocolModel) => void,
  search: Search,
): void {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = new ProtocolModel({ ...fixture, mails: 3 });
      for (const one of steps) one(model);
      model.recover();
      check(model);
    }),
    search,
  );
}

/** All but the last time that the server took a mail. */
function repeated({ acceptances }: ProtocolModel): ModelAcceptance[] {
  return acceptances.filter((one, index) =>
    acceptances.slice(index + 1).some(({ mail }) => mail === one.mail),
  );
}

export function losesNothing(model: ProtocolModel): void {
  expect(model.table.size).toBe(0);
  expect(new Set(model.acceptances.map(({ mail }) => mail)).size).toBe(3);
}

/** The one window: the server had taken it, and whoever handed it over could not read that it had. */
export function repeatsOnlyTheUncertain(model: ProtocolModel): void {
  expect(repeated(model).filter(({ replyRead, isUncertain }) => replyRead || !isUncertain)).toEqual([]);
}
