/**
 * The meaning of words that any server may use, strongest first: the first matching entry decides. Words come before enhanced
 * codes, because many servers use one code (5.7.1, 5.0.0) for everything, while the words name the cause.
 */
import type { Entry } from './table.ts';
import { PROOFS } from './words-authentication.ts';
import { BLOCKS, UNWANTED } from './words-blocks.ts';
import { DOMAIN_FOREIGN, FOREIGN, FOREIGN_AT_GREETING } from './words-foreign.ts';
import { IDENTITY } from './words-identity.ts';
import { ABOUT_MESSAGE, EXPIRED, FILTER_VERDICT } from './words-message.ts';
import { PACE } from './words-pace.ts';
import { PARAPHRASES } from './words-paraphrases.ts';
import { ABOUT_RECIPIENT, PROBE_REFUSED } from './words-recipient.ts';
import { RECIPIENT_IN_OTHER_WORDS } from './words-recipient-unusual.ts';
import { ABOUT_SENDER } from './words-sender.ts';
import { ABOUT_SERVER } from './words-server.ts';

export const COMMON_WORDS: readonly Entry[] = [
  EXPIRED,
  FILTER_VERDICT,
  ...DOMAIN_FOREIGN,
  ...FOREIGN,
  ...FOREIGN_AT_GREETING,
  ...IDENTITY,
  ...PROOFS,
  ...PACE,
  ...UNWANTED,
  ...BLOCKS,
  ...ABOUT_SENDER,
  ...ABOUT_RECIPIENT,
  ...RECIPIENT_IN_OTHER_WORDS,
  ...PARAPHRASES,
  ...ABOUT_MESSAGE,
  ...ABOUT_SERVER,
  PROBE_REFUSED,
];
