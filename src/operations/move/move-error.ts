/** An organization cannot be moved, or not now; told to the person who asked for it as it is. */
export class MoveError extends Error {}
