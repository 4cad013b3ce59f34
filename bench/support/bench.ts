/** A bench is one file in bench/ that exports `title`, `claim` and `run`. */
import type { Table } from './table.ts';

export type Progress = (text: string) => void;

/** `full` measures. `smoke` takes the same code path with small numbers, to show that the bench still works. */
export type Size = 'full' | 'smoke';

/** The numbers of a bench, for each size; they stand in one table at the top of its file. */
export type Sizes<Numbers> = Readonly<Record<Size, Numbers>>;

export type BenchResult = {
  /** Ours divided by the reference, both measured in this run; larger is better. */
  readonly ratio: number;
  readonly target: number;
  readonly table: Table;
  /** Further numbers for the JSON line. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** A drawing for bench/charts, as SVG. */
  readonly chart?: string;
};

export type Bench = {
  readonly title: string;
  /** One line: what must hold. */
  readonly claim: string;
  readonly run: (progress: Progress, size: Size) => Promise<BenchResult>;
};

/** A program that a bench compares with is missing. It is named with the command that installs it, never made up. */
export class MissingPeer extends Error {
  readonly peer: string;
  readonly install: string;

  constructor(peer: string, install: string, problem = 'is not installed') {
    super(`${peer} ${problem}, so there is nothing to compare with. To change that: ${install}`);
    this.peer = `${peer} ${problem}`;
    this.install = install;
  }
}
