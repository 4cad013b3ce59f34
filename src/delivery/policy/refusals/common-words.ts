/**
 * What words mean whoever says them, strongest first: the first line that fits decides. They come before the enhanced
 * codes, because many servers put one code (5.7.1, 5.0.0) on everything, and words name what is the matter.
 */
import type { Entry } from './table.ts';
import { BLOCKS } from './words-blocks.ts';
import { IDENTITY } from './words-identity.ts';
import { ABOUT_MESSAGE, EXPIRED } from './words-message.ts';
import { PACE } from './words-pace.ts';
import { ABOUT_RECIPIENT } from './words-recipient.ts';
import { ABOUT_SENDER } from './words-sender.ts';
import { ABOUT_SERVER } from './words-server.ts';

export const COMMON_WORDS: readonly Entry[] = [
  EXPIRED,
  ...IDENTITY,
  ...PACE,
  ...BLOCKS,
  ...ABOUT_SENDER,
  ...ABOUT_RECIPIENT,
  ...ABOUT_MESSAGE,
  ...ABOUT_SERVER,
];
