/** An organization cannot be moved, or not now. The operator sees the message unchanged. */
export class MoveError extends Error {}
