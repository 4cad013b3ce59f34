import { describe, expect, it } from 'vitest';
import { modelSeeds } from '../support/model-seeds.ts';
import type { CellRules } from './cells-model.ts';
import {
  asks,
  type CellStep,
  check,
  delivers,
  exploreCells,
  inCell,
  looks,
  moves,
  runCells,
} from './cells-steps.ts';
import type { ProtocolModel } from './protocol-model.ts';

describe('an organization that is moved while mail is sent, held and approved', () => {
  it.each(modelSeeds)('loses nothing, doubles nothing and sends nothing unapproved (seed %i)', (seed) => {
    exploreCells({ seed, numRuns: 600 });
  });
});

describe('the checks notice', () => {
  const main = (step: (one: ProtocolModel) => void) => inCell('main', step);
  /** Up to the placement in the other cell, and up to the end. */
  const toPlacement = 14;
  const all = 21;
  /** The same for a command that goes on with a move that was cut off. */
  const resumedToMark = 4;
  const resumedToCopy = 11;

  /** Mail 0 is claimed and then parked, because the worker learns of a hold. */
  const parksTheFirstMail = main((one) => {
    one.claim('one');
    one.hold(0);
    one.beat('one');
    one.dot('one');
  });
  /** A command loses its lock right before the placement. A second one copies the rows, finds that one differs, and calls the move off. */
  const leftBehind: readonly CellStep[] = [
    parksTheFirstMail,
    moves(toPlacement),
    ({ mover }) => mover.loseLock(),
    moves(resumedToCopy),
    main((one) => one.hold(0, false)),
    moves(1),
  ];

  const broken: readonly [string, CellRules, readonly CellStep[]][] = [
    [
      'claims from a cell that the organization has left',
      { claimsFromFrozenOrganization: true },
      [moves(toPlacement + 1), delivers('main', 'one')],
    ],
    [
      'a claim that began before the standstill',
      { ignoresTransactions: true },
      [
        main((one) => one.beginClaim('one')),
        moves(toPlacement + 1),
        main((one) => one.commitClaim('one')),
        main((one) => one.dot('one')),
      ],
    ],
    [
      'rows that are copied while a worker has them',
      { movesClaimedRows: true },
      [main((one) => one.claim('one')), moves(toPlacement + 1), main((one) => one.dot('one'))],
    ],
    [
      'an approval that goes to the old cell because nobody waited until the move was noticed',
      { skipsNotice: true },
      [looks('approve', 1), moves(toPlacement - 1), ({ api }) => api.begin(), ({ api }) => api.commit()],
    ],
    [
      'mail that a closed cell accepts',
      { acceptsWhileClosed: true },
      [looks('send', 2), moves(toPlacement + 1), ({ api }) => api.begin(), ({ api }) => api.commit()],
    ],
    [
      'mail that is sent unapproved because its organization was moved',
      { unparksApprovals: true },
      [moves(all)],
    ],
    [
      'mail that stays parked under a hold of the old cell',
      { keepsForgottenHolds: true },
      [parksTheFirstMail, moves(all)],
    ],
    [
      'mail that the new cell sends before the organization lives there',
      { opensTargetEarly: true },
      [moves(toPlacement), delivers('two', 'one'), ({ mover }) => mover.abandon()],
    ],
    [
      'an old cell that is opened before its rows are removed',
      { opensSourceBeforeClearing: true },
      [moves(19), delivers('main', 'one')],
    ],
    [
      'a command without its lock that copies over what another one has moved',
      { checksLockOnlyAtTheEnd: true },
      [
        moves(8),
        ({ mover }) => mover.loseLock(),
        moves(all),
        ...Array.from(
          { length: 5 },
          (): CellStep =>
            ({ mover }) =>
              mover.advanceLeftBehind(),
        ),
      ],
    ],
    [
      'a placement by a command that was left behind',
      { arrivesUnfenced: true },
      [
        ...leftBehind,
        moves(resumedToMark + 1),
        ({ mover }) => mover.arriveLate(),
        ({ api }) => api.refresh(),
        asks('send', 2),
      ],
    ],
    [
      'a command without its lock that calls off what another one does',
      { callsOffWithoutLock: true },
      [
        ...leftBehind,
        moves(resumedToMark),
        ({ mover }) => mover.arriveLate(),
        moves(6),
        main((one) => one.claim('one')),
        moves(3),
        main((one) => one.dot('one')),
      ],
    ],
    ['mail that is sent before it is approved', { queuesUnapproved: true }, [delivers('main', 'one')]],
    [
      'a rejected mail that stays in the queue',
      { rejectsWithoutWithdrawing: true },
      [asks('reject', 1), delivers('main', 'one')],
    ],
  ];

  it.each(broken)('%s', (_, rules, schedule) => {
    check(runCells(schedule));
    expect(() => check(runCells(schedule, rules))).toThrow();
  });
});
