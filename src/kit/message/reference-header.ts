/**
 * The header of outgoing mail that carries the token of its return path. Complaints come to one address for all
 * mail and often hide whom they are about; what they include of the message still has this.
 */
export const REFERENCE_HEADER = 'X-Postrider-Ref';
