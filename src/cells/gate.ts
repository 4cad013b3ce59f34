/**
 * Cells that could not be checked when this process started, or whose database is not the expected one. No query is sent to
 * them, and requests of their organizations fail as if they were down. Owns the set of these cells.
 */
import { UnknownPlaceError } from './directory.ts';

export class CellGate {
  readonly #shut = new Set<string>();

  shut(cell: string): void {
    this.#shut.add(cell);
  }

  open(cell: string): void {
    this.#shut.delete(cell);
  }

  /** Throws if the cell is shut. */
  pass(cell: string): void {
    if (this.#shut.size > 0 && this.#shut.has(cell))
      throw new UnknownPlaceError(
        `The cell ${cell} is still being prepared or does not answer. Try again shortly.`,
        cell,
      );
  }
}
