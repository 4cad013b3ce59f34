/** What text of requests and of submitted mail reaches, before it is accepted. */
import { badByte } from '../../src/kit/message/reading/bad-byte.ts';
import { headerSubjects } from './header-subjects.ts';
import type { Subject } from './subject.ts';

const MEBIBYTE = 1024 * 1024;

export const ingressSubjects: readonly Subject[] = [
  { name: 'Search for bare line ends in a submitted message', limitBytes: 20 * MEBIBYTE, run: badByte },
  ...headerSubjects,
];
