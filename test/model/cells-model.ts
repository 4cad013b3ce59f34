/**
 * One organization and two cells: the queue's protocol runs in each, the API accepts mail and decisions about mail that waits for
 * approval, and a command moves the organization (src/operations/move). The model can be run in any order of steps, crashes and
 * lost sessions. `rules` can be broken one by one, so that the test can show that its checks notice it.
 */

import { ModelApi } from './model-api.ts';
import { ModelMover } from './model-mover.ts';
import { ProtocolModel } from './protocol-model.ts';
import type { ModelAcceptance } from './protocol-model-worker.ts';

export type CellName = 'main' | 'two';
export type Decision = 'approved' | 'rejected';

/** Mail that a person has to approve. The first two mails are queued from the start; clients send the others. */
export const WAITS_FOR_APPROVAL: ReadonlySet<number> = new Set([1, 3]);
const QUEUED_FROM_THE_START = [0, 1];
export const MAILS = [0, 1, 2, 3];

/** Rules of the real code; each can be broken. */
export interface CellRules {
  /** Workers claim mail of an organization that is being moved (`notMigrating` is missing in a statement). */
  readonly claimsFromFrozenOrganization?: boolean;
  /** The move does not wait for transactions that began before the standstill. */
  readonly ignoresTransactions?: boolean;
  /** The move copies rows that a worker has claimed. */
  readonly movesClaimedRows?: boolean;
  /** The move does not wait until every process has noticed that the organization is marked. */
  readonly skipsNotice?: boolean;
  /** A closed cell still accepts mail. */
  readonly acceptsWhileClosed?: boolean;
  /** Mail that waits for approval is unparked when it arrives in the other cell. */
  readonly unparksApprovals?: boolean;
  /** Mail that is parked under a hold of the old cell stays parked in the new one. */
  readonly keepsForgottenHolds?: boolean;
  /** The other cell may claim rows as soon as they arrive. */
  readonly opensTargetEarly?: boolean;
  /** The old cell may claim again before its rows are removed. */
  readonly opensSourceBeforeClearing?: boolean;
  /** A command that has lost its lock goes on until the organization is to be placed. */
  readonly checksLockOnlyAtTheEnd?: boolean;
  /** The placement looks whether the organization is being moved, and not by which run. */
  readonly arrivesUnfenced?: boolean;
  /** A command that has lost its lock calls off what another command is doing. */
  readonly callsOffWithoutLock?: boolean;
  /** Workers do not see that mail waits for approval. */
  readonly queuesUnapproved?: boolean;
  /** A rejection is recorded, and the row stays in the queue. */
  readonly rejectsWithoutWithdrawing?: boolean;
}

/** A mail that the server took, with what was true in that moment. */
export interface CellAcceptance {
  readonly taken: ModelAcceptance;
  readonly cell: CellName;
  readonly home: CellName;
  readonly decision: Decision | null;
}

export class CellsModel {
  readonly cells: Readonly<Record<CellName, ProtocolModel>>;
  readonly api: ModelApi;
  readonly mover: ModelMover;
  readonly acceptances: CellAcceptance[] = [];
  /** What control says: where the organization lives. */
  home: CellName = 'main';
  isMarked = false;

  constructor({ sharedFolder, rules = {} }: { readonly sharedFolder: boolean; readonly rules?: CellRules }) {
    const cell = (name: CellName) =>
      new ProtocolModel({
        ...{
          mails: 0,
          sharedFolder,
          rules: { claimsFromFrozenOrganization: rules.claimsFromFrozenOrganization === true },
        },
        onAccepted: (taken) =>
          this.acceptances.push({
            ...{ taken, cell: name, home: this.home },
            decision: this.api.decisions.get(taken.mail) ?? null,
          }),
      });
    this.cells = { main: cell('main'), two: cell('two') };
    this.api = new ModelApi(this, rules);
    this.mover = new ModelMover(this, rules);
    for (const mail of QUEUED_FROM_THE_START) {
      this.cells.main.table.add(mail, this.api.parkingOf(mail));
      this.api.accepted.add(mail);
    }
  }

  get areDatabasesUp(): boolean {
    return this.cells.main.isDatabaseUp && this.cells.two.isDatabaseUp;
  }

  /** Processes and databases come back, the move is finished, and clients send again what was refused. */
  recover(): void {
    for (const cell of Object.values(this.cells)) cell.wake();
    this.api.finish();
    this.#work(60, () => {
      this.mover.advance();
      this.mover.advanceLeftBehind();
    });
    this.api.refresh();
    for (const mail of MAILS) this.api.look('send', mail);
    this.api.finish();
    this.#work(40, () => undefined);
  }

  #work(rounds: number, also: () => void): void {
    for (let round = 0; round < rounds; round += 1) {
      for (const cell of Object.values(this.cells)) if (cell.table.isWaiting) cell.workOnce();
      also();
      if (this.mover.step === 'ended' && !Object.values(this.cells).some(({ table }) => table.isWaiting))
        return;
    }
  }
}
