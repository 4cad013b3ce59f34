/** What text of received mail reaches. */
import type { Subject } from './subject.ts';

export const inboundSubjects: readonly Subject[] = [];
