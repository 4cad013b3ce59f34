/** Everything that can happen to the model of two cells, and what must hold afterwards. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type CellName, type CellRules, CellsModel, MAILS, WAITS_FOR_APPROVAL } from './cells-model.ts';
import type { ProtocolModel } from './protocol-model.ts';
import type { Search } from './queue-steps.ts';

export type CellStep = (model: CellsModel) => void;

/** In one of the cells. */
export const inCell =
  (cell: CellName, step: (model: ProtocolModel) => void): CellStep =>
  ({ cells }) =>
    step(cells[cell]);

export const delivers = (cell: CellName, worker: string) =>
  inCell(cell, (one) => {
    one.claim(worker);
    one.dot(worker);
    one.reply(worker);
    one.settle(worker);
  });

export const looks =
  (kind: 'send' | 'approve' | 'reject', mail: number): CellStep =>
  ({ api }) =>
    api.look(kind, mail);

/** A request from its beginning to its end. */
export const asks =
  (kind: 'send' | 'approve' | 'reject', mail: number): CellStep =>
  ({ api }) => {
    api.look(kind, mail);
    api.begin();
    api.commit();
  };

/** So many actions of the command. */
export const moves =
  (actions: number): CellStep =>
  ({ mover }) => {
    mover.start();
    for (let one = 0; one < actions; one += 1) mover.advance();
  };

const cell = fc.constantFrom<CellName>('main', 'two');
const worker = fc.constantFrom('one', 'two', 'three');
const mail = fc.constantFrom(...MAILS);
const kind = fc.constantFrom<'send' | 'approve' | 'reject'>('send', 'approve', 'reject');
const ms = fc.constantFrom(3_000, 9_000, 20_000, 40_000);

const ofWorker = (step: (one: ProtocolModel, name: string) => void) =>
  fc.tuple(cell, worker).map(([where, name]) => inCell(where, (one) => step(one, name)));
const always = (step: CellStep) => fc.constant(step);

const inQueue: fc.Arbitrary<CellStep> = fc.oneof(
  { weight: 4, arbitrary: ofWorker((one, name) => one.claim(name)) },
  { weight: 2, arbitrary: ofWorker((one, name) => one.beginClaim(name)) },
  { weight: 2, arbitrary: ofWorker((one, name) => one.commitClaim(name)) },
  { weight: 4, arbitrary: ofWorker((one, name) => one.dot(name)) },
  { weight: 3, arbitrary: ofWorker((one, name) => one.reply(name)) },
  { weight: 3, arbitrary: ofWorker((one, name) => one.settle(name)) },
  ofWorker((one, name) => one.claim(name, true)),
  ofWorker((one, name) => one.loseReply(name)),
  ofWorker((one, name) => one.freeze(name)),
  ofWorker((one, name) => one.thaw(name)),
  ofWorker((one, name) => one.crash(name)),
  ofWorker((one, name) => one.stop(name)),
  ofWorker((one, name) => one.beginStop(name)),
  ofWorker((one, name) => one.endStop(name)),
  ofWorker((one, name) => one.restart(name)),
  { weight: 2, arbitrary: fc.tuple(cell, ms).map(([where, time]) => inCell(where, (one) => one.pass(time))) },
  fc.tuple(cell, mail).map(([where, held]) => inCell(where, (one) => one.hold(held))),
  fc.tuple(cell, mail).map(([where, held]) => inCell(where, (one) => one.hold(held, false))),
  fc.tuple(cell, fc.boolean()).map(([where, isUp]) =>
    inCell(where, (one) => {
      one.isDatabaseUp = isUp;
    }),
  ),
);

const inApi: fc.Arbitrary<CellStep> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(kind, mail).map(([asked, about]) => asks(asked, about)) },
  { weight: 2, arbitrary: fc.tuple(kind, mail).map(([asked, about]) => looks(asked, about)) },
  { weight: 2, arbitrary: always(({ api }) => api.begin()) },
  { weight: 2, arbitrary: always(({ api }) => api.commit()) },
  always(({ api }) => api.refresh()),
);

const inMove: fc.Arbitrary<CellStep> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 18 }).map(moves) },
  always(({ mover }) => mover.kill()),
  always(({ mover }) => mover.abandon()),
  always(({ mover }) => mover.loseLock()),
  always(({ mover }) => mover.advanceLeftBehind()),
  always(({ mover }) => mover.arriveLate()),
);

const cellStep: fc.Arbitrary<CellStep> = fc.oneof(
  { weight: 5, arbitrary: inQueue },
  { weight: 2, arbitrary: inApi },
  { weight: 2, arbitrary: inMove },
);

/** Each accepted mail is sent, or was rejected, or still waits in the one cell where its organization lives. */
function losesNothing({ cells, api, home, acceptances, mover }: CellsModel): void {
  const away = home === 'main' ? 'two' : 'main';
  const sent = new Set(acceptances.map(({ taken }) => taken.mail));
  expect(mover.step).toBe('ended');
  expect([...api.accepted].sort()).toEqual(MAILS);
  expect(cells[away].table.mails()).toEqual([]);
  for (const mail of MAILS) {
    const decision = api.decisions.get(mail);
    const waits = WAITS_FOR_APPROVAL.has(mail) && decision === undefined;
    const row = cells[home].table.row(mail);
    const seen = { mail, isSent: sent.has(mail), parkedFor: row?.parkedFor };
    const isSent = !waits && decision !== 'rejected';
    expect(seen).toEqual({ mail, isSent, parkedFor: waits ? 'approval' : undefined });
  }
}

function sendsOnlyApprovedMail({ acceptances }: CellsModel): void {
  const unapproved = acceptances.filter(
    ({ taken, decision }) => WAITS_FOR_APPROVAL.has(taken.mail) && decision !== 'approved',
  );
  expect(unapproved).toEqual([]);
}

/** The old cell sends nothing from when the organization lives in the new one, and the new cell nothing before. */
function sendsOnlyFromHome({ acceptances }: CellsModel): void {
  expect(acceptances.filter(({ cell, home }) => cell !== home)).toEqual([]);
}

/** A mail goes twice only where a worker was cut off between the final dot and the reply. */
function repeatsOnlyTheUncertain({ acceptances }: CellsModel): void {
  const repeated = acceptances.filter(({ taken }, index) =>
    acceptances.slice(index + 1).some((later) => later.taken.mail === taken.mail),
  );
  const known = repeated.filter(({ taken }) => taken.replyRead || !taken.isUncertain);
  expect(known).toEqual([]);
}

/** Runs schedules to their end, and checks all of the above after each. */
export function exploreCells(search: Search): void {
  fc.assert(
    fc.property(fc.array(cellStep, { maxLength: 80 }), (steps) => check(runCells(steps))),
    search,
  );
}

export function check(model: CellsModel): void {
  losesNothing(model);
  sendsOnlyApprovedMail(model);
  sendsOnlyFromHome(model);
  repeatsOnlyTheUncertain(model);
}

export function runCells(steps: readonly CellStep[], rules: CellRules = {}): CellsModel {
  const model = new CellsModel({ sharedFolder: true, rules });
  for (const step of steps) step(model);
  model.recover();
  return model;
}
