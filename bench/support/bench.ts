/** A bench is one file in bench/ that exports `title`, `claim` and `run`. */
import type { Table } from './table.ts';

export type Progress = (text: string) => void;

/** `full` measures. `smoke` runs the same code with small numbers, to check that the bench still works. */
export type Size = 'full' | 'smoke';

/** The numbers of a bench for each size, in one table at the top of its file. */
export type Sizes<Numbers> = Readonly<Record<Size, Numbers>>;

export type BenchResult = {
  /** Our result divided by the reference's, both measured in this run. Larger is better. */
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
  /** One line with the condition that must hold. */
  readonly claim: string;
  readonly run: (progress: Progress, size: Size) => Promise<BenchResult>;
};

/** A program that a bench compares with is missing. The error names the command that installs it. */
export class MissingPeer extends Error {
  readonly peer: string;
  readonly install: string;

  constructor(peer: string, install: string, problem = 'is not installed') {
    super(`${peer} ${problem}, so there is nothing to compare with. To change that: ${install}`);
    this.peer = `${peer} ${problem}`;
    this.install = install;
  }
}
