/**
 * Reports the progress of a long task to a user, line by line. With a share (0 to 1) the line shows progress:
 * on a terminal the next line replaces it.
 */
export type Say = (line: string, share?: number) => void;
