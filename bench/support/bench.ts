/** What a bench is: one file in bench/ that exports `title`, `claim` and `run`. */
import type { Table } from './table.ts';

export type Progress = (text: string) => void;

export type BenchResult = {
  /** Ours divided by the reference, both measured in this run; larger is better. */
  readonly ratio: number;
  readonly target: number;
  readonly table: Table;
  /** Further numbers for the JSON line. */
  readonly figures: Readonly<Record<string, number | string>>;
};

export type Bench = {
  readonly title: string;
  /** One line: what must hold. */
  readonly claim: string;
  readonly run: (progress: Progress) => Promise<BenchResult>;
};

/** A peer to compare with is not installed. It is named with the command that installs it, never made up. */
export class MissingPeer extends Error {
  readonly peer: string;
  readonly install: string;

  constructor(peer: string, install: string) {
    super(`${peer} is not installed, so there is nothing to compare with. Install it with: ${install}`);
    this.peer = peer;
    this.install = install;
  }
}
