/**
 * Cells that nobody could look at when this process started, or that turned out not to be what their name says: nothing is asked of them, and
 * their organizations are answered as if they were away. Owns which those are.
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

  /** Throws where it is shut. */
  pass(cell: string): void {
    if (this.#shut.size > 0 && this.#shut.has(cell))
      throw new UnknownPlaceError(`The cell ${cell} cannot be used yet.`, cell);
  }
}
