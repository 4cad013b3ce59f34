/** A backup cannot be made or used; its words are for the operator. */
export class BackupError extends Error {}
