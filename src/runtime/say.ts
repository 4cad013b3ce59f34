/**
 * Tells a person how something long goes, a line at a time. A line with a share, from 0 to 1, only says how far it is: on a
 * terminal the next one takes its place.
 */
export type Say = (line: string, share?: number) => void;
